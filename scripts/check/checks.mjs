import path from "node:path";

import { runQuietly } from "../build/pages.mjs";
import { ROOT } from "../build/layout.mjs";
import { lint } from "./lint.mjs";

/** Cache of the tools between runs. Each tool validates it against the files. */
const CACHE = path.join(ROOT, "node_modules/.cache/imprint");

const BUILD_INFO = path.join(CACHE, "types.tsbuildinfo");

/** @typedef {{ name: string, run: (fix: boolean) => Promise<unknown> }} Check */

/** @param {string} name @param {string} script @param {string[]} args @param {string[]} [fixArgs] @returns {Check} */
const tool = (name, script, args, fixArgs = args) => ({ name, run: (fix) => start(script, fix ? fixArgs : args) });

/**
 * Longest first. The checks of one list run sequentially: the linter reads what the type check writes.
 *
 * @type {Check[][]}
 */
const CHECKS = [
  [
    tool("types", "typescript-7/bin/tsc", ["--noEmit", "-p", ".", "--tsBuildInfoFile", BUILD_INFO]),
    {
      name: "lint",
      run: (fix) => lint({ cache: path.join(CACHE, "lint.json"), buildInfo: BUILD_INFO, fix, oxlint }),
    },
  ],
  [
    tool("boundaries", "dependency-cruiser/bin/dependency-cruise.mjs", [
      ...["--config", "dependency-cruiser.config.mjs", "--cache", `${CACHE}/boundaries`, "--cache-strategy", "content"],
      ...["app", "components", "lib", "db", "packages", "server", "server.ts"],
    ]),
  ],
  [tool("dead code", "knip/bin/knip.js", ["--no-progress", "--cache", "--cache-location", CACHE])],
  [tool("OpenAPI document", "@redocly/cli/bin/cli.js", ["lint", "docs/openapi.json"])],
  [tool("feature table", "../scripts/run.mjs", ["features", "--check"], ["features"])],
  [tool("format", "oxfmt/bin/oxfmt", ["--check"], ["--write"])],
];

const ENVIRONMENT = {
  // Keep the checks from contacting other machines.
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  NO_UPDATE_NOTIFIER: "1",
  // The compiler and linter exit before garbage collection pays off: 30 % less time for 0.2 GB more memory.
  GOGC: "off",
  GOMEMLIMIT: "3GiB",
};

/** @param {string} script @param {string[]} args */
const start = (script, args) =>
  runQuietly(process.execPath, [path.join(ROOT, "node_modules", script), ...args], { ...process.env, ...ENVIRONMENT });

/** @param {string[]} args */
const oxlint = (args) => start("oxlint/bin/oxlint", args);

/** @param {Check} check @param {{ fix: boolean }} options */
async function passes({ name, run }, { fix }) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  try {
    await run(fix);
    console.log(`ok      ${name} (${seconds()})`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name} (${seconds()})\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

/**
 * Runs the static checks and prints the result of each.
 *
 * @param {{ fix: boolean, concurrency: number }} options `concurrency`: number of checks to run concurrently
 */
export async function runChecks({ fix, concurrency }) {
  const waiting = [...CHECKS];
  const count = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let checks = waiting.shift(); checks; checks = waiting.shift())
      for (const check of checks) count[(await passes(check, { fix })) ? "passed" : "failed"] += 1;
  };
  // Two tools that rewrite the same file concurrently would lose each other's changes.
  await Promise.all(Array.from({ length: fix ? 1 : concurrency }, worker));
  return count;
}
