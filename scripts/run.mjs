/**
 * Runs a TypeScript program of this folder: `node scripts/run.mjs bench/http --check` bundles `bench/http/main.ts` with
 * the product code it uses, and imports the bundle.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { ROOT } from "./build/layout.mjs";

const [name] = process.argv.splice(2, 1);
if (name === undefined) throw new Error("Pass a folder of scripts that contains a main.ts: node scripts/run.mjs demo");

process.chdir(ROOT);
Object.assign(process.env, { NODE_ENV: "production", LOG_LEVEL: process.env["LOG_LEVEL"] || "warn" });

// At the same depth below the root as build/layout.mjs, which becomes part of the bundle and locates the root relative
// to itself.
const outfile = path.join(ROOT, ".test/scripts", `${name.replaceAll("/", "-")}.mjs`);
await build({
  absWorkingDir: ROOT,
  entryPoints: [path.join(ROOT, "scripts", name, "main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  alias: { "@": ROOT },
  jsx: "automatic",
  sourcemap: "inline",
  logLevel: "error",
});
await import(pathToFileURL(outfile).href);
