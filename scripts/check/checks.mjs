import fs from "node:fs";
import path from "node:path";

import { runQuietly } from "../build/pages.mjs";
import { ROOT } from "../build/layout.mjs";

const OPENAPI = "docs/openapi.json";

/** @typedef {{ name: string, script: string, args: string[], fixArgs?: string[] }} Check */

/** @type {Check[]} */
const CHECKS = [
  { name: "types", script: "typescript/bin/tsc", args: ["--noEmit", "-p", "."] },
  { name: "lint", script: "eslint/bin/eslint.js", args: ["."], fixArgs: [".", "--fix"] },
  { name: "format", script: "prettier/bin/prettier.cjs", args: ["--check", "."], fixArgs: ["--write", "."] },
  {
    name: "boundaries",
    script: "dependency-cruiser/bin/dependency-cruise.mjs",
    args: ["--config", ".dependency-cruiser.cjs", "app", "components", "lib", "db", "server", "server.ts"],
  },
  { name: "feature table", script: "../scripts/features-update.mjs", args: ["--check"], fixArgs: [] },
  { name: "dead code", script: "knip/bin/knip.js", args: ["--no-progress"] },
  ...(fs.existsSync(path.join(ROOT, OPENAPI))
    ? [{ name: "OpenAPI document", script: "@redocly/cli/bin/cli.js", args: ["lint", OPENAPI] }]
    : []),
];

/** The checks reach nothing outside this machine. */
const OFFLINE = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_UPDATE_NOTIFIER: "1" };

/** @param {Check} check @param {{ fix: boolean }} options */
async function passes({ name, script, args, fixArgs }, { fix }) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const file = path.join(ROOT, "node_modules", script);
  try {
    await runQuietly(process.execPath, [file, ...(fix && fixArgs ? fixArgs : args)], { ...process.env, ...OFFLINE });
    console.log(`ok      ${name} (${seconds()})`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name} (${seconds()})\n${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/**
 * Runs the static checks and prints the result of each.
 *
 * @param {{ fix: boolean, sideBySide: number }} options how many run at the same time
 */
export async function runChecks({ fix, sideBySide }) {
  const waiting = [...CHECKS];
  const count = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      count[(await passes(check, { fix })) ? "passed" : "failed"] += 1;
    }
  };
  // Two tools that rewrite the same file would lose each other's changes.
  await Promise.all(Array.from({ length: fix ? 1 : sideBySide }, worker));
  return count;
}
