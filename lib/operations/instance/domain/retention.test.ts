import { expect, test } from "vitest";

import { forecast, type Measured } from "./retention";

const size = (name: string, rows: number, bytesOfRow: number) => ({
  name,
  table: name.replace(/_\d+$/, ""),
  rows,
  bytes: rows * bytesOfRow,
});

/** A service that has run for ten days with 10,000 visits a day, 2,000 of them by new devices. */
const MEASURED: Measured = {
  tables: [
    size("visits_203101", 100_000, 2_000),
    size("report_deliveries_203101", 100_000, 200),
    size("visit_signals_20310109", 10_000, 400),
    size("visit_signals_20310110", 10_000, 400),
    { name: "visit_signals_20310111", table: "visit_signals", rows: 0, bytes: 24_000 },
    size("devices", 20_000, 300),
    size("device_profiles", 20_000, 700),
    size("payload_sightings", 100_000, 300),
    size("audit_log", 1_000, 1_000),
  ],
  visitsPerDay: 10_000,
  ageDays: 10,
  newShare: 0.2,
  workspaces: 1,
};
const RETENTION = { retentionDays: 100, signalsRetentionDays: 30 };

test("the forecast has each table at its own retention, just before a month of visits is dropped", () => {
  const { visitBytes, signalsBytes, allBytes } = forecast(MEASURED, RETENTION);
  expect([visitBytes, signalsBytes]).toEqual([2_200, 400]);
  const days = 131;
  const devices = 20_000 * (days / 10); // every fifth visit has always been the first of its device
  expect(allBytes).toBeCloseTo(
    10_000 * (2_200 * days + 400 * 30) + devices * 1_000 + 300_000 * 300 + 24_000 + 1_000_000,
    -1,
  );
});

test("devices outlive their visits: an old service keeps its number, a young one gains devices according to the share of new ones", () => {
  const bytesOf = (measured: Partial<Measured>) => forecast({ ...MEASURED, ...measured }, RETENTION).allBytes;
  const old = bytesOf({ ageDays: 400 });
  expect(bytesOf({ ageDays: 4_000 })).toBe(old);
  expect(bytesOf({ newShare: 0 })).toBe(old);
  expect(bytesOf({}) - old).toBeCloseTo(20_000 * 1_000 * (13.1 - 1), -1);
  expect(bytesOf({ newShare: 0.1 }) - old).toBeCloseTo(20_000 * 1_000 * (13.1 ** 0.5 - 1), -1);
});

test("digests of visits are kept for a month, up to half a million per workspace, and no longer than visits", () => {
  const bytes = (measured: Partial<Measured>, retentionDays: number) =>
    forecast({ ...MEASURED, newShare: 0, ...measured }, { retentionDays, signalsRetentionDays: 0 }).allBytes;
  const visits = (perDay: number, retentionDays: number) => perDay * 2_200 * (retentionDays + 31);
  const others = 20_000 * 1_000 + 24_000 + 1_000_000;
  expect(bytes({}, 7)).toBeCloseTo(visits(10_000, 7) + others + 70_000 * 300, -1);
  expect(bytes({ visitsPerDay: 100_000 }, 100)).toBeCloseTo(visits(100_000, 100) + others + 500_000 * 300, -1);
  expect(bytes({ visitsPerDay: 100_000, workspaces: 8 }, 100)).toBeCloseTo(
    visits(100_000, 100) + others + 3_000_000 * 300,
    -1,
  );
});

test("the size of a visit is measured on the newest month with enough visits", () => {
  const tables = [size("visits_203012", 90_000, 6_000), ...MEASURED.tables, size("visits_203102", 10, 20_000)];
  expect(forecast({ ...MEASURED, tables }, RETENTION).visitBytes).toBe(2_200);
  const { visitBytes } = forecast({ ...MEASURED, tables: [size("visits_203102", 10, 20_000)] }, RETENTION);
  expect(visitBytes).toBeGreaterThan(1_500);
  expect(visitBytes).toBeLessThan(3_000);
});
