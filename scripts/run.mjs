import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { ROOT } from "../build/layout.mjs";

/**
 * The exports of a TypeScript file below `scripts`, bundled with the product code that it calls.
 *
 * @param {string} file
 */
export async function loadBundle(file) {
  process.chdir(ROOT);
  process.env.LOG_LEVEL ||= "warn";
  const outfile = path.join(ROOT, ".test/bench", `${file.replaceAll("/", "-")}.mjs`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(ROOT, "scripts", file)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    alias: { "@": ROOT },
    logLevel: "silent",
  });
  return import(pathToFileURL(outfile).href);
}

/** Progress on stderr, in one line on a terminal. @param {string} text */
export const progress = (text) => {
  process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(76)}` : `${text}\n`);
};

/**
 * A whole number above 0 from the options.
 *
 * @param {string} name @param {string | undefined} text
 */
export function wholeNumber(name, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0.`);
}
