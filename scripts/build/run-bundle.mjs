import { pathToFileURL } from "node:url";

import { ensureBuilt } from "./ensure.mjs";
import { buildLayout, ROOT } from "./layout.mjs";

/**
 * Runs a command that is bundled with the product: builds what is missing or stale, then imports it.
 * A failure is one line on stderr and exit code 1.
 *
 * @param {"admin" | "ipUpdate"} name its file in the build layout
 */
export async function runBundle(name) {
  process.chdir(ROOT);
  // Stdout is the command's own: with --json it is one object that scripts read.
  const logLevel = process.env["LOG_LEVEL"] || "error";
  Object.assign(process.env, { NODE_ENV: "production", LOG_LEVEL: logLevel });
  const say = process.argv.includes("--json") ? undefined : console.error;
  try {
    await ensureBuilt(["bundles"], say ? { say } : {});
    await import(pathToFileURL(buildLayout()[name]).href);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
