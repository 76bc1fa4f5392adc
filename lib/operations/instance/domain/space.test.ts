import { expect, test } from "vitest";

import { assessSpace } from "./space";

const month = (name: string, rows: number, megabytes: number) => ({
  table: "visits",
  name,
  rows,
  bytes: megabytes * 1e6,
});

test("space left by deleted visits in earlier months is reported with the statements that release it", () => {
  const fact = assessSpace([
    month("visits_203101", 10_000, 1_000),
    month("visits_203102", 480_000, 1_000),
    month("visits_203103", 0, 300),
    month("visits_203104", 500_000, 1_000),
    { table: "devices", name: "devices", rows: 10, bytes: 9e9 },
  ]);
  expect(fact).toMatchObject({ name: "space", status: "warn" });
  expect(fact.text).toBe("Deleted visits left 1.3 GB free in visits_203101, visits_203103, which nothing will reuse.");
  expect(fact.fix).toContain("vacuum full visits_203101; vacuum full visits_203103;");
});

test.each([
  ["no visits", []],
  ["a month that has just begun", [month("visits_203101", 500_000, 1_000), month("visits_203102", 5, 1)]],
  ["visits so few that nothing is known of their size", [month("visits_203101", 900, 500)]],
  ["little space", [month("visits_203101", 10, 150), month("visits_203102", 500_000, 1_000)]],
])("%s: nothing is worth reclaiming", (_name, tables) => {
  expect(assessSpace(tables)).toMatchObject({ status: "ok" });
});
