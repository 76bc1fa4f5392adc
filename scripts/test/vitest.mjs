import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";

const VITEST = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const RESULTS = path.join(ROOT, ".test/results.json");

/**
 * @typedef {{ passed: number, failed: number, notes: string[] }} Outcome
 * @typedef {{ status: string, fullName: string, duration?: number }} Assertion
 * @typedef {{ testResults: { name: string, status: string, startTime: number, endTime: number, assertionResults: Assertion[] }[] }} Report
 */

/**
 * The slowest test files with their durations.
 *
 * @param {Report} report @param {number} count
 */
export const slowestFiles = ({ testResults }, count) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ file: path.relative(ROOT, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file}`);

/**
 * Consistent with `KINDS` in vitest.config.mts.
 *
 * @param {string} file
 */
const projectOf = (file) => (/(\.browser\.test\.tsx?|\.spec\.ts)$/.test(file) ? "browser" : "unit");

/**
 * Counts results from Vitest's JSON report. A file that could not be loaded counts as one failure, and so does a
 * skipped test.
 *
 * @param {Report} report
 * @param {readonly string[]} projects projects that must have run
 * @returns {Outcome}
 */
export function countResults(report, projects) {
  const outcome = { passed: 0, failed: 0, notes: /** @type {string[]} */ ([]) };
  const seen = new Set();
  for (const { name, status, assertionResults } of report.testResults) {
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) {
      outcome.failed += 1;
      outcome.notes.push(`${path.relative(ROOT, name)} did not finish`);
    }
    for (const test of assertionResults) {
      if (test.status === "passed") {
        outcome.passed += 1;
        seen.add(projectOf(name));
      } else {
        outcome.failed += 1;
        if (test.status !== "failed")
          outcome.notes.push(`${path.relative(ROOT, name)}: "${test.fullName}" was ${test.status}`);
      }
    }
  }
  for (const project of projects.filter((name) => !seen.has(name))) {
    outcome.failed += 1;
    outcome.notes.push(`No test of the project "${project}" passed`);
  }
  return outcome;
}

/**
 * Runs the tests of the named projects.
 *
 * @param {{ projects: readonly string[], only: string | undefined }} options
 * @returns {Promise<Outcome>}
 */
export async function runVitest({ projects, only }) {
  fs.rmSync(RESULTS, { force: true });
  const args = [
    ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`],
    // Each kind consists of two projects: files that share a process, and files that need a separate one.
    ...projects.flatMap((name) => ["--project", `${name}*`]),
    ...(only === undefined ? [] : [only]),
  ];
  const child = spawn(process.execPath, [VITEST, ...args], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  const code = /** @type {number | null} */ (await new Promise((resolve) => child.once("close", resolve)));
  if (!fs.existsSync(RESULTS)) return { passed: 0, failed: 1, notes: ["Vitest ended without a report"] };
  const report = /** @type {Report} */ (JSON.parse(fs.readFileSync(RESULTS, "utf8")));
  const outcome = countResults(report, only === undefined ? projects.filter((name) => name !== "database") : []);
  if (only === undefined) console.log(["The slowest files:", ...slowestFiles(report, 20)].join("\n"));
  if (code !== 0 && outcome.failed === 0) {
    outcome.failed += 1;
    outcome.notes.push(`Vitest ended with code ${code}: an error outside the tests, see above`);
  }
  return outcome;
}
