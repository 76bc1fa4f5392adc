import { parseArgs } from "node:util";

import { ROOT } from "./build/layout.mjs";
import { runChecks } from "./check/checks.mjs";

const HELP = `npm run check              types, lint, format, import boundaries, dead code, generated files
npm run check -- --fix     the same, and mends what the tools can mend by themselves`;

/** @param {boolean} fix */
async function check(fix) {
  process.chdir(ROOT);
  const startedAt = performance.now();
  const { passed, failed } = await runChecks({ fix, sideBySide: 2 });
  console.log(`${passed} passed, ${failed} failed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  process.exitCode = failed > 0 ? 1 : 0;
}

const { values } = parseArgs({ options: { fix: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
if (values.help) console.log(HELP);
else await check(values.fix ?? false);
