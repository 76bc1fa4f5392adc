import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { watchForHang } from "./hang-watch";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const watch = () => {
  const ping = vi.fn();
  const onHung = vi.fn();
  return { watched: watchForHang({ ping, onHung }), ping, onHung };
};

test("a worker that answers each ping is neither suspect nor hung", () => {
  const { ping, onHung, watched } = watch();
  ping.mockImplementation(() => {
    watched.noteAnswer();
  });
  vi.advanceTimersByTime(600_000);
  expect(ping).toHaveBeenCalledTimes(120);
  expect([watched.isSuspect(), onHung.mock.calls]).toEqual([false, []]);
  watched.stop();
});

test("a silent worker first becomes suspect, and after thirty seconds is reported as hung, once", () => {
  const { onHung, watched } = watch();
  vi.advanceTimersByTime(10_000);
  expect(watched.isSuspect()).toBe(false);
  vi.advanceTimersByTime(5_000);
  expect(watched.isSuspect()).toBe(true);
  vi.advanceTimersByTime(15_000);
  expect(onHung).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(onHung.mock.calls).toEqual([[30_000]]);
});

test("a late answer clears the suspicion; a suspended machine does not make a worker suspect", () => {
  const { onHung, watched } = watch();
  vi.advanceTimersByTime(25_000);
  watched.noteAnswer();
  expect(watched.isSuspect()).toBe(false);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect([watched.isSuspect(), onHung.mock.calls]).toEqual([false, []]);
  watched.stop();
});
