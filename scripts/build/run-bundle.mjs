import { pathToFileURL } from "node:url";

import { ensureBuilt } from "./ensure.mjs";
import { buildLayout, ROOT } from "./layout.mjs";

/**
 * Runs a command that is bundled with the product: builds it if it is missing or stale, then imports it. A failure
 * prints its reason on stderr, with `--json` in the error envelope, and exits with 1.
 *
 * @param {"admin" | "ipUpdate"} name its file in the build layout
 */
export async function runBundle(name) {
  process.chdir(ROOT);
  // Stdout is reserved for the command's result: with --json it is one object that scripts parse.
  const logLevel = process.env["LOG_LEVEL"] || "error";
  Object.assign(process.env, { NODE_ENV: "production", LOG_LEVEL: logLevel });
  const isJson = process.argv.includes("--json");
  const say = isJson ? undefined : console.error;
  try {
    await ensureBuilt(["bundles"], say ? { say } : {});
    await import(pathToFileURL(buildLayout()[name]).href);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(isJson ? JSON.stringify({ error: { code: "service_unavailable", message } }) : message);
    process.exitCode = 1;
  }
}
