import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { findBinaries } from "@/db/embedded-binaries";
import { DATA_PACKAGES } from "@/lib/visits/network/data-packages";
import { buildLayout, ROOT } from "../build/layout.mjs";
import { type Entry, fileEntry, folderEntries, textEntry } from "./entries";

const MODULES = path.join(ROOT, "node_modules");

/** The entry point for custom servers that use Next. */
const NEXT_ENTRY = "node_modules/next/dist/server/next.js";
/** Modules below it that only development and builds load. Everything else in the trace is included. */
const NOT_IN_PRODUCTION = [
  /next\/dist\/(docs|esm|build\/webpack|server\/dev)\//,
  /next\/dist\/compiled\/(babel|next-devtools|terser|webpack|@ampproject|@next\/font)/,
  /\.(development|dev)\.js$|\.d\.ts$|\.map$/,
  /node_modules\/(@img|sharp|typescript|@next\/swc[^/]*)\//,
];
/** Packages besides Next that the bundles load from node_modules. */
const BUNDLES_NEED = ["pino"];

/** Image scaling, which no page uses: 20 MB. */
const UNUSED = /^node_modules\/(@img|sharp)\//;
/** Parts of packages that no program loads. */
const NOT_LOADED = /(^|\/)(tests?|docs|benchmarks?|examples?|node_modules)$|\.(map|md|ts|mts|cts|tap)$/;

type Trace = (
  files: readonly string[],
  options: { base: string; mixedModules: boolean; ignore: (file: string) => boolean },
) => Promise<{ fileList: Set<string> }>;

/** Next traces only its own server, so its tracer is run again for ours. */
async function tracedFromEntry(): Promise<string[]> {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft") as {
    nodeFileTrace: Trace;
  };
  const { fileList } = await nodeFileTrace([path.join(ROOT, NEXT_ENTRY)], {
    base: ROOT,
    mixedModules: true,
    ignore: (file) => NOT_IN_PRODUCTION.some((pattern) => pattern.test(file)),
  });
  return [...fileList].filter((name) => name.startsWith("node_modules/")).map((name) => path.join(ROOT, name));
}

type Manifest = { dependencies?: Record<string, string> };

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Files that the build's traces list for the pages. */
function tracedByBuild(): string[] {
  const { pages } = buildLayout();
  const traces = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".nft.json"));
  const files = traces.flatMap((name) => {
    const folder = path.dirname(path.join(pages, name));
    return (readJson(path.join(pages, name)) as { files: string[] }).files.map((file) => path.resolve(folder, file));
  });
  return files.filter((file) => {
    const name = path.relative(ROOT, file);
    return name.startsWith("node_modules/") && !UNUSED.test(name) && existsSync(file);
  });
}

/** The package and all its dependencies, as npm has installed them. */
function withDependencies(name: string, found = new Set<string>()): Set<string> {
  const manifest = path.join(MODULES, name, "package.json");
  if (found.has(name) || !existsSync(manifest)) return found;
  found.add(name);
  for (const each of Object.keys((readJson(manifest) as Manifest).dependencies ?? {})) withDependencies(each, found);
  return found;
}

/** PostgreSQL for this platform, with the links that its install script creates. */
async function databasePrograms(): Promise<Entry[]> {
  const { folder, from } = await findBinaries(undefined);
  if (from !== "npm")
    throw new Error("The package takes its PostgreSQL from npm: run `npm install` without --omit=optional.");
  const root = path.resolve(folder, "../..");
  return folderEntries(root, (name) => !/^scripts$|^native\/include$/.test(name));
}

/** Everything in node_modules that the service loads at run time. */
export async function moduleEntries({ networkData }: { networkData: boolean }): Promise<Entry[]> {
  const packages = new Set(BUNDLES_NEED.flatMap((name) => [...withDependencies(name)]));
  const data = networkData ? Object.values(DATA_PACKAGES).filter((name) => existsSync(path.join(MODULES, name))) : [];
  return [
    ...[...tracedByBuild(), ...(await tracedFromEntry())].map((file) => fileEntry(file)),
    ...[...packages].flatMap((name) => folderEntries(path.join(MODULES, name), (file) => !NOT_LOADED.test(file))),
    ...data.flatMap((name) => folderEntries(path.join(MODULES, name))),
    ...(await databasePrograms()),
  ];
}

type Lock = { packages: Record<string, { version?: string; license?: string; dev?: boolean }> };

/** Licences of everything that the bundles and pages contain, as their terms require. */
export function licencesEntry(): Entry {
  const { packages } = readJson(path.join(MODULES, ".package-lock.json")) as Lock;
  const parts = Object.entries(packages).flatMap(([place, { version, license, dev }]) => {
    const folder = path.join(ROOT, place);
    if (dev || !existsSync(folder)) return [];
    const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
    const texts = files.map((name) => readFileSync(path.join(folder, name), "utf8").trim());
    return [`${place.replace(/^.*node_modules\//, "")} ${version}: ${license ?? "see below"}`, ...texts].join("\n\n");
  });
  return textEntry("THIRD-PARTY.txt", `${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}
