/**
 * Measures device identity on a synthetic stream of visits, beside three baselines; see `--help`.
 * The program is TypeScript on the product's own rules: it is bundled first, then run.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { ROOT } from "./build/layout.mjs";

const outfile = path.join(ROOT, ".test/bench-identity/main.mjs");
await build({
  absWorkingDir: ROOT,
  entryPoints: [path.join(ROOT, "scripts/bench-identity-main.ts")],
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
