/**
 * Measures how long it takes to find and link a device among many; see `--help`.
 * The program is TypeScript on the product's own queries: it is bundled first, then run.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { ROOT } from "./build/layout.mjs";

const outfile = path.join(ROOT, ".test/bench-match/main.mjs");
await build({
  absWorkingDir: ROOT,
  entryPoints: [path.join(ROOT, "scripts/bench-match-main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  alias: { "@": ROOT },
  logLevel: "silent",
});
await import(pathToFileURL(outfile).href);
