import { ROOT } from "./build/layout.mjs";
import { runChecks } from "./check/checks.mjs";
import { readOptions } from "./check/read-options.mjs";

const HELP = `npm run check              lint, types, import boundaries, dead code, generated files, format
npm run check -- --fix     the same; tools fix what they can`;

const { fix = false } = readOptions(HELP, { fix: { type: "boolean" } });
process.chdir(ROOT);
const startedAt = performance.now();
const { passed, failed } = await runChecks({ fix, concurrency: 2 });
console.log(`${passed} passed, ${failed} failed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exitCode = failed > 0 ? 1 : 0;
