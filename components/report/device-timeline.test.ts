import { expect, test } from "vitest";

import { clustersOf } from "./device-timeline";

const DAY_MS = 86_400_000;
const visit = (imprint: string, at: number) => ({ imprint, recordedAt: new Date(at), status: "PASS" as const });

test("twelve visits within an hour are one mark that counts them, visits of different days are marks of their own", () => {
  const hour = Array.from({ length: 12 }, (_, index) => visit(`a${index}`, 30 * DAY_MS + index * 240_000));
  const clusters = clustersOf([visit("z", 60 * DAY_MS), ...hour, visit("b", 10 * DAY_MS)], 90 * DAY_MS);
  expect(clusters.map(({ visits }) => visits.length)).toEqual([1, 12, 1]);
  expect(clusters.flatMap(({ visits }) => visits.map(({ imprint }) => imprint))).toHaveLength(14);
});
