import { readFile } from "node:fs/promises";
import path from "node:path";

import { build } from "esbuild";

import { name, version, license, engines } from "@/package.json";
import { buildLayout, ROOT } from "../build/layout.mjs";
import { type Entry, fileEntry, folderEntries, textEntry } from "./entries";
import { licencesEntry, moduleEntries } from "./modules";

export type Choices = { node: boolean; networkData: boolean };

/** Files that Next keeps in its folder for itself: caches, traces, types, and paths of the build machine. */
const NOT_SERVED =
  /^(cache|build|diagnostics|turbopack|types|lock|trace|trace-build|required-server-files\.(js|json))$|\.(map|nft\.json)$/;
/** Source maps of the component are served with it; those of the service are not used. */
const NOT_RUN = /^(?!component\/).*\.(map|lock)$|^documents\/render\.mjs$|^development$/;

function builtEntries({ networkData }: Choices): Entry[] {
  const { pages, bundles } = buildLayout();
  const isRun = (file: string) => !NOT_RUN.test(file) && (networkData || file !== "asn.bin");
  return [...folderEntries(pages, (file) => !NOT_SERVED.test(file)), ...folderEntries(bundles, isRun)];
}

async function programEntries({ node }: Choices): Promise<Entry[]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/package/imprint.mjs"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "silent",
    write: false,
  });
  const launcher = await readFile(path.join(ROOT, "scripts/package/imprint.sh"));
  return [
    textEntry("bin/imprint", launcher, true),
    ...outputFiles.map(({ contents }) => textEntry("bin/imprint.mjs", contents)),
    ...(node ? [fileEntry(process.execPath, "bin/node")] : []),
  ];
}

type BuiltConfig = { config: Record<string, unknown> };

/** Next's build configuration, which it also needs at run time, without folders of the build machine. */
async function nextConfig(): Promise<Entry> {
  const file = path.join(buildLayout().pages, "required-server-files.json");
  const built = JSON.parse(await readFile(file, "utf8")) as BuiltConfig;
  const { outputFileTracingRoot: _traced, repoRoot: _root, turbopack: _turbopack, ...config } = built.config;
  return textEntry(path.relative(ROOT, file), JSON.stringify({ ...built, config, appDir: "." }));
}

/** `build`: location of the build, which Next has written into its files. */
const manifest = () => ({
  ...{ name, version, license, engines, private: true },
  build: path.relative(ROOT, path.dirname(buildLayout().bundles)),
});

const FOLDERS = [
  "db/migrations",
  "deploy",
  "docs",
  "examples/actions",
  "examples/next",
  "examples/quickstart",
  "examples/sites",
  "public",
];
const FILES = ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md"];

/** Every file of the package once, sorted by name. */
export async function collectEntries(choices: Choices): Promise<Entry[]> {
  const entries = [
    ...(await programEntries(choices)),
    ...builtEntries(choices),
    ...(await moduleEntries(choices)),
    ...FOLDERS.flatMap((folder) => folderEntries(path.join(ROOT, folder))),
    ...FILES.map((file) => fileEntry(path.join(ROOT, file))),
    await nextConfig(),
    licencesEntry(),
    textEntry("package.json", `${JSON.stringify(manifest(), null, 2)}\n`),
  ];
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
