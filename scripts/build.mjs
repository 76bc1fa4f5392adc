import { ensureBuilt } from "./build/ensure.mjs";
import { ROOT } from "./build/layout.mjs";

process.chdir(ROOT);
try {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: console.log });
  console.log("The build is up to date");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
