import { join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../build/layout.mjs";
import { countResults, slowestFiles } from "./vitest.mjs";

const UNIT_FILE = join(ROOT, "lib/contract/ids.test.ts");
const BROWSER_FILE = join(ROOT, "e2e/process/stop.spec.ts");

const report = (name: string, status: string, ...statuses: string[]) => ({
  testResults: [
    {
      ...{ name, status, startTime: 0, endTime: 1_400 },
      assertionResults: statuses.map((each) => ({ status: each, fullName: "a test" })),
    },
  ],
});

test("the slowest files are listed with their seconds, slowest first", () => {
  const { testResults } = report(UNIT_FILE, "passed");
  const slow = testResults.map((file) => ({ ...file, name: BROWSER_FILE, endTime: 92_000 }));
  expect(slowestFiles({ testResults: [...testResults, ...slow] }, 1)).toEqual(["   92 s  e2e/process/stop.spec.ts"]);
  expect(slowestFiles({ testResults: [...testResults, ...slow] }, 9)).toHaveLength(2);
});

test("a skipped test counts as a failure and is named", () => {
  const { passed, failed, notes } = countResults(report(UNIT_FILE, "passed", "passed", "pending"), ["unit"]);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(notes).toEqual(['lib/contract/ids.test.ts: "a test" was pending']);
});

test("a file that could not be loaded counts as a failure, a project without a passed test as another", () => {
  const { passed, failed, notes } = countResults(report(BROWSER_FILE, "failed"), ["unit", "browser"]);
  expect({ passed, failed }).toEqual({ passed: 0, failed: 3 });
  expect(notes).toHaveLength(3);
});

test("failed tests of a file are counted once each", () => {
  expect(countResults(report(UNIT_FILE, "failed", "passed", "failed", "failed"), ["unit"])).toEqual({
    passed: 1,
    failed: 2,
    notes: [],
  });
});
