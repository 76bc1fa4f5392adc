import { ROOT } from "./build/layout.mjs";
import { runChecks } from "./check/checks.mjs";

process.chdir(ROOT);
const { passed, failed } = await runChecks({ fix: process.argv.includes("--fix"), sideBySide: 2 });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
