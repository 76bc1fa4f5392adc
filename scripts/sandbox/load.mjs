import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { bundleOptions, writeOutputs } from "../build/bundles.mjs";
import { buildLayout } from "../build/layout.mjs";

/**
 * The sandbox for scripts that run without a TypeScript loader.
 *
 * @returns {Promise<typeof import("./entry")>}
 */
export async function loadSandbox() {
  const outdir = path.join(buildLayout().bundles, "sandbox");
  const entryPoints = [{ in: "scripts/sandbox/entry.ts", out: "sandbox" }];
  const { outputFiles } = await build({ ...bundleOptions(outdir), entryPoints });
  writeOutputs(outputFiles);
  return await import(pathToFileURL(path.join(outdir, "sandbox.mjs")).href);
}
