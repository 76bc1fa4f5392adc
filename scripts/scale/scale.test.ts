import { readFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { randomOf } from "../common/random";
import { sizeTables } from "./document";
import { databaseMicros, perVisit, REQUESTS, STORAGE } from "./figures";
import { simulate } from "./simulate";
import { sizeFor } from "./sizing";

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "../..", file), "utf8");
const grouped = (number: number) => number.toLocaleString("en-US");

test("the measured figures are those of docs/benchmarks.md", () => {
  const text = read("docs/benchmarks.md");
  const table = text.slice(
    text.indexOf("5,000,000 stored events, 1 worker"),
    text.indexOf("5,000,000 stored events, 2 workers"),
  );
  const names = { challenge: "challenge", delivery: "Report read first", reread: "Report read again" } as const;
  for (const [kind, name] of Object.entries(names)) {
    const { perSecond, serviceMicros } = REQUESTS[kind as keyof typeof names]; // safe: a key of `names`
    expect(table).toMatch(new RegExp(`\\| ${name} \\| ${grouped(perSecond)} \\|.*\\| ${serviceMicros} \\|`));
  }
  const { perSecond, serviceMicros } = REQUESTS.submission;
  expect(text).toContain(`${grouped(perSecond)} submissions a second at ${grouped(serviceMicros)} us`);
  expect(text).toContain(`| all tables |  |  |  | ${grouped(STORAGE.freshBytes)} |`);
  expect(text).toContain(`Written ahead for a visit: ${grouped(STORAGE.logBytes)} bytes`);
});

test("the sizes in docs/scale.md match the rules", () => {
  const text = read("docs/scale.md");
  for (const lines of Object.values(sizeTables())) expect(text).toContain(lines.join("\n"));
});

test("more visits never need fewer resources", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }), (one, other) => {
      const [less, more] = [sizeFor(Math.min(one, other)), sizeFor(Math.max(one, other))];
      expect(less.processes).toBeLessThanOrEqual(more.processes);
      expect(less.nodes).toBeLessThanOrEqual(more.nodes);
      expect(less.terabytes).toBeLessThanOrEqual(more.terabytes);
    }),
  );
});

const PLANT = { visits: 1_000, processes: 4, nodes: 1, nodeProcessors: 5, hotShare: 0, roundTripMs: 0.5, commitMs: 2 };
const run = (changes: Partial<typeof PLANT>) => simulate({ ...PLANT, ...changes }, { seconds: 4, random: randomOf(1) });

test("the simulation answers every request with the predicted load, and queues if there is too little capacity", () => {
  const enough = run({});
  expect(enough.requests).toBeGreaterThan(15_000);
  expect(enough.p99Ms).toBeLessThan(50);
  const busy = (micros: number) => (PLANT.visits * micros) / 1e6;
  expect(enough.processLoad).toBeCloseTo(busy(perVisit(({ serviceMicros }) => serviceMicros)) / PLANT.processes, 1);
  expect(enough.nodeLoad).toBeCloseTo(busy(perVisit(databaseMicros)) / PLANT.nodeProcessors, 1);
  expect(run({ processes: 1 }).p99Ms).toBeGreaterThan(500);
  expect(run({ nodeProcessors: 1 }).p99Ms).toBeGreaterThan(500);
  expect(run({ nodes: 4, nodeProcessors: 1, hotShare: 0.9 }).p99Ms).toBeGreaterThan(500);
});
