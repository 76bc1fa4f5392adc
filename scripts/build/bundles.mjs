import fs from "node:fs";
import path from "node:path";

import { build } from "esbuild";

import { buildAsnTable } from "../../lib/visits/network/encode-asn-table.mjs";
import { ROOT } from "./layout.mjs";
import { youngClosures } from "./young-closures.mjs";

const ENTRIES = [
  { in: "server.ts", out: "server" },
  { in: "server/pages-main.ts", out: "pages" },
  { in: "scripts/admin/main.ts", out: "admin" },
  { in: "scripts/ip-update/main.ts", out: "ip-update" },
];

/** Packages left in node_modules: they must exist once per process, or load files relative to their own. */
const LEFT_OUT = ["next", "pino"];
/** Defines `require` in the bundle for packages that were written for it. */
const BANNER =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * esbuild options for the Node bundles: each entry is one file with our modules and the packages they use, because a
 * start that opens a thousand small files takes a third longer.
 *
 * @param {string} outdir
 * @returns {import("esbuild").BuildOptions & { write: false }}
 */
export function bundleOptions(outdir) {
  return {
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: LEFT_OUT,
    plugins: [youngClosures],
    banner: { js: BANNER },
    alias: { "@": ROOT },
    jsx: "automatic",
    sourcemap: "linked",
    // V8 keeps the source in memory, two bytes a character if any is beyond Latin-1, as some in comments are. Stack
    // traces are mapped (`lib/platform/source-frames.ts`); licences are in THIRD-PARTY.txt of the package.
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "silent",
    write: false,
  };
}

/**
 * Replaces each file atomically: a concurrent reader sees the old or the new one.
 *
 * @param {import("esbuild").OutputFile[]} files
 */
export function writeOutputs(files) {
  for (const { path: file, contents } of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, contents);
    fs.renameSync(draft, file);
  }
}

/** @param {string} outdir */
export async function buildBundles(outdir) {
  const { outputFiles } = await build(bundleOptions(outdir));
  writeOutputs(outputFiles);
  // Prebuilt, since it would add two seconds to every first start. The package is optional.
  const source = path.join(ROOT, "node_modules/@ip-location-db/asn");
  if (fs.existsSync(source)) buildAsnTable({ source, target: path.join(outdir, "asn.bin") });
}
