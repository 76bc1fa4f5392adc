import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { createStopper } from "@/lib/interfaces/http/server/stopper";
import { maintainReserve } from "./maintain-reserve";

const TEN_MINUTES_MS = 600_000;

test("the reserve is made after ten minutes, again ten minutes after it was used or its disk came back, and not after a stop", async () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-reserve-"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });
  const reserve = join(folder, "reserve");
  const stopper = createStopper();
  maintainReserve(folder, stopper, 4096);
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
  expect([vi.getTimerCount(), existsSync(reserve)]).toEqual([1, false]);
  vi.advanceTimersByTime(1);
  await expect.poll(() => existsSync(reserve)).toBe(true);
  rmSync(reserve);
  renameSync(folder, `${folder}.away`);
  vi.advanceTimersByTime(TEN_MINUTES_MS);
  renameSync(`${folder}.away`, folder);
  vi.advanceTimersByTime(TEN_MINUTES_MS);
  await expect.poll(() => existsSync(reserve)).toBe(true);
  await stopper.stop(Promise.resolve());
  expect(vi.getTimerCount()).toBe(0);
});
