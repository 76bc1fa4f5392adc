import { expect, test } from "vitest";

import { COUNTED_VISITS, type EarlierVisit, evaluateRepeat } from "./evaluate-repeat";

const durations = { groups: "groups", run: "run", groupBits: 19, runBits: 23 };
const earlier: EarlierVisit = {
  ageSeconds: 300,
  isWholeRun: true,
  isSameSender: false,
  comparableVisits: 100,
};
const rules = (changes: Partial<EarlierVisit>, bits: Partial<typeof durations> = {}) =>
  evaluateRepeat({ earlier: { ...earlier, ...changes } }, { ...durations, ...bits }).map(({ ruleId }) => ruleId);

test("repeat.payload: states how long ago the same durations were seen and how improbable that is", () => {
  const [finding] = evaluateRepeat({ earlier }, durations);
  expect(finding).toMatchObject({ reason: "ENVIRONMENT_INCONSISTENT", status: "SUSPICIOUS" });
  expect(finding?.compared.map(({ value }) => value)).toEqual([
    "all of them",
    "5 minutes before",
    "below 1 in 8,388,608",
  ]);
  expect(evaluateRepeat({ earlier }, { ...durations, runBits: 61 })[0]?.compared[2]?.value).toBe(
    "below 1 in a billion",
  );
});

test.each([
  [5, "5 seconds before"],
  [7_200, "2 hours before"],
  [5 * 86_400, "5 days before"],
])("repeat.payload: formats an age of %i seconds for people", (ageSeconds, value) => {
  expect(evaluateRepeat({ earlier: { ...earlier, ageSeconds } }, durations)[0]?.compared[1]?.value).toBe(value);
});

test("repeat.payload: requires more bits the more comparable visits there were, as equal ones occur by chance in a crowd", () => {
  expect(rules({ comparableVisits: 32_000 })).toEqual(["repeat.payload"]);
  expect(rules({ comparableVisits: 33_000 })).toEqual([]);
  expect(rules({ isWholeRun: false, comparableVisits: 2_000 })).toEqual(["repeat.payload"]);
  expect(rules({ isWholeRun: false, comparableVisits: 2_100 })).toEqual([]);
  // Beyond the counting limit, up to the number of stored visits may exist.
  expect(rules({ comparableVisits: COUNTED_VISITS }, { runBits: 26 })).toEqual([]);
  expect(rules({ comparableVisits: COUNTED_VISITS }, { runBits: 27 })).toEqual(["repeat.payload"]);
});

test("repeat.payload: ignores the retry of a suspended page, but not a repetition of the whole run", () => {
  expect(rules({ isSameSender: true, isWholeRun: false })).toEqual([]);
  expect(rules({ isSameSender: true })).toEqual(["repeat.payload"]);
});

test("repeat.payload: makes one finding even if several things repeat", () => {
  const pictures = { visits: 16, different: 14, networks: 15 };
  expect(evaluateRepeat({ earlier, pictures }, durations)).toHaveLength(1);
  expect(evaluateRepeat({ pictures }, durations)[0]?.compared[0]?.value).toBe("14 different in 16 visits");
  const runs = { visits: 16, alike: 13, networks: 11 };
  expect(evaluateRepeat({ earlier, pictures, runs }, durations)).toHaveLength(1);
  expect(evaluateRepeat({ runs }, durations)[0]?.compared[0]?.value).toBe("13 of 16");
  expect(evaluateRepeat({}, durations)).toEqual([]);
});
