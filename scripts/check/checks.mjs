import path from "node:path";

import { runQuietly } from "../build/pages.mjs";
import { ROOT } from "../build/layout.mjs";

/** Cache of the tools between runs. Each tool validates it against the files. */
const CACHE = path.join(ROOT, "node_modules/.cache/imprint");

/** @typedef {{ name: string, script: string, args: string[], fixArgs?: string[] }} Check */

/**
 * Longest first.
 *
 * @type {Check[]}
 */
const CHECKS = [
  { name: "lint", script: "oxlint/bin/oxlint", args: ["--format=stylish"], fixArgs: ["--format=stylish", "--fix"] },
  {
    name: "types",
    script: "typescript-7/bin/tsc",
    args: ["--noEmit", "-p", ".", "--tsBuildInfoFile", `${CACHE}/types.tsbuildinfo`],
  },
  {
    name: "boundaries",
    script: "dependency-cruiser/bin/dependency-cruise.mjs",
    args: [
      ...["--config", "dependency-cruiser.config.mjs", "--cache", `${CACHE}/boundaries`, "--cache-strategy", "content"],
      ...["app", "components", "lib", "db", "packages", "server", "server.ts"],
    ],
  },
  { name: "dead code", script: "knip/bin/knip.js", args: ["--no-progress", "--cache", "--cache-location", CACHE] },
  { name: "OpenAPI document", script: "@redocly/cli/bin/cli.js", args: ["lint", "docs/openapi.json"] },
  { name: "feature table", script: "../scripts/run.mjs", args: ["features", "--check"], fixArgs: ["features"] },
  { name: "format", script: "oxfmt/bin/oxfmt", args: ["--check"], fixArgs: ["--write"] },
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

/** @param {Check} check @param {{ fix: boolean }} options */
async function passes({ name, script, args, fixArgs }, { fix }) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const file = path.join(ROOT, "node_modules", script);
  try {
    await runQuietly(process.execPath, [file, ...(fix && fixArgs ? fixArgs : args)], {
      ...process.env,
      ...ENVIRONMENT,
    });
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
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      count[(await passes(check, { fix })) ? "passed" : "failed"] += 1;
    }
  };
  // Two tools that rewrite the same file concurrently would lose each other's changes.
  await Promise.all(Array.from({ length: fix ? 1 : concurrency }, worker));
  return count;
}
