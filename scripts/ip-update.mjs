import { pathToFileURL } from "node:url";

import { ensureBuilt } from "./build/ensure.mjs";
import { buildLayout, ROOT } from "./build/layout.mjs";

process.chdir(ROOT);
process.env.NODE_ENV = "production";
// Stdout is the command's own: with --json it is one object that scripts read.
process.env.LOG_LEVEL ||= "error";
const say = process.argv.includes("--json") ? undefined : (/** @type {string} */ line) => console.error(line);
try {
  await ensureBuilt(["bundles"], say ? { say } : {});
  await import(pathToFileURL(buildLayout().ipUpdate).href);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
