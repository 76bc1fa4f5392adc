/** `npm test`: static checks, a separate build, and all tests. The last line is the number of passes and failures. */
import { ensureBuilt } from "./build/ensure.mjs";
import { ROOT } from "./build/layout.mjs";
import { runChecks } from "./check/checks.mjs";
import { readOptions } from "./check/read-options.mjs";
import { describeDatabase } from "./test/database.mjs";
import { findChromium, findHeadlessShell } from "./test/chromium.mjs";
import { forgetInstallation } from "./test/installation.mjs";
import { choose } from "./test/programs.mjs";
import { runVitest } from "./test/vitest.mjs";

const HELP = `npm test                       static checks, a separate build, and all tests
npm test -- --only PATTERN     the test files whose path contains PATTERN, without the checks
npm test -- --database URL     the tests of database guarantees on this database, which is migrated and filled:
                               PostgreSQL, a pooler in front of it, or the coordinator of a Citus cluster`;

const { only, database } = readOptions(HELP, { only: { type: "string" }, database: { type: "string" } });
process.chdir(ROOT);
forgetInstallation();
process.env["IMPRINT_BUILD_DIR"] = ".test";

const total = { passed: 0, failed: 0 };
const phases = /** @type {string[]} */ ([]);

/** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
async function phase(name, work) {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    phases.push(`${name} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
}

/** @param {{ passed: number, failed: number }} count */
function add({ passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}

/**
 * A step of the run that is not itself a test.
 *
 * @param {string} name @param {() => Promise<unknown>} work
 */
async function step(name, work) {
  try {
    await phase(name, work);
    add({ passed: 1, failed: 0 });
    return true;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    add({ passed: 0, failed: 1 });
    return false;
  }
}

async function chooseBrowser() {
  process.env["PLAYWRIGHT_CHROMIUM"] = await findChromium();
  process.env["CHROMIUM_HEADLESS_SHELL"] = await findHeadlessShell();
}

/** Sequential, because the system installs one package at a time. Resolves to whether there is a browser. */
async function findPrograms() {
  const hasBrowser = await step("browser", chooseBrowser);
  await step("Firefox", () => choose(["firefox"]));
  await step("Redis server", () => choose(["redis"]));
  await step("PgBouncer", () => choose(["pgbouncer"]));
  await step("Prometheus", () => choose(["prometheus", "promtool"]));
  await step("languages of the samples", () => choose(["python", "go", "php", "curl"]));
  return hasBrowser;
}

/** @param {string | undefined} only */
async function buildAndTest(only) {
  const build = () => ensureBuilt(["component", "documents", "bundles", "pages"], { say: console.log });
  const [hasBuild, hasBrowser] = await Promise.all([step("build", build), findPrograms()]);
  const projects = hasBuild && hasBrowser ? ["unit", "browser"] : ["unit"];
  const { notes, ...count } = await phase("tests", () => runVitest({ projects, only }));
  for (const note of notes) console.log(note);
  add(count);
}

/**
 * Runs the tests on a given database.
 *
 * @param {string} url @param {string | undefined} only
 */
async function testDatabase(url, only) {
  const database = await describeDatabase(url);
  console.log(`On ${database.text}`);
  process.env["IMPRINT_TEST_DATABASE"] = url;
  process.env["IMPRINT_TEST_CLUSTER"] = String(database.isCluster);
  const { notes, ...count } = await phase("tests", () => runVitest({ projects: ["database"], only }));
  for (const note of notes) console.log(note);
  add(count);
}

if (database === undefined) {
  console.log("Not in this run: tests on a cluster (npm test -- --database URL)");
  await Promise.all([
    buildAndTest(only),
    // One check at a time: the build uses the other core.
    only === undefined ? phase("checks", () => runChecks({ fix: false, concurrency: 1 })).then(add) : undefined,
  ]);
} else {
  await testDatabase(database, only);
}
console.log(`Seconds, concurrent where possible: ${phases.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
