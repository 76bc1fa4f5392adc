import { ensureBuilt } from "./build/ensure.mjs";
import { ROOT } from "./build/layout.mjs";
import { readOptions } from "./check/read-options.mjs";

readOptions(
  "npm run build    builds everything that is missing or out of date: component, documents, server, pages",
  {},
);
process.chdir(ROOT);
try {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: console.log });
  console.log("The build is up to date");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
