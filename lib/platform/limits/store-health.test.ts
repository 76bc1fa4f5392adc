import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { log } from "@/lib/platform/log";
import { createStoreHealth } from "./store-health";

const warn = vi.spyOn(log, "warn").mockReturnValue();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  warn.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

const messages = () => warn.mock.calls.map((call: unknown[]) => call[1]);

test("an outage is reported once, and its end", () => {
  const health = createStoreHealth();
  for (let index = 0; index < 300; index += 1) health.onFailure(new Error("away"));
  health.onAnswer();
  health.onAnswer();
  expect(messages()).toEqual([
    "the rate limit store is unavailable: each process enforces the limits by itself",
    "the rate limit store answers again",
  ]);
});

test("a flapping store is reported once a minute", () => {
  const health = createStoreHealth();
  for (let second = 0; second < 119; second += 1) {
    health.onFailure(new Error("away"));
    health.onAnswer();
    vi.advanceTimersByTime(1_000);
  }
  expect(messages()).toHaveLength(4);
});

test("after a failure one caller per second tries the store", () => {
  const health = createStoreHealth();
  expect(health.isSuspended()).toBe(false);
  health.onFailure(new Error("away"));
  const suspended: boolean[] = [];
  for (let index = 0; index < 30; index += 1) {
    suspended.push(health.isSuspended());
    vi.advanceTimersByTime(100);
  }
  expect(suspended.filter((isSuspended) => !isSuspended)).toHaveLength(2);
  health.onAnswer();
  expect(health.isSuspended()).toBe(false);
});
