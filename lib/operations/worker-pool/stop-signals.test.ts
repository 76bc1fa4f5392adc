import { expect, test } from "vitest";

import { createStopSignals } from "./stop-signals";

function afterSignalsAt(...times: number[]): string[] {
  const done: string[] = [];
  const stop = () => done.push("stop");
  const abort = () => done.push("abort");
  for (const onSignal = createStopSignals({ stop, abort, clock: () => times[0] ?? 0 }); times.length > 0; times.shift())
    onSignal();
  return done;
}

test("any number of signals within a second count as one; a later one aborts", () => {
  expect(afterSignalsAt(5_000)).toEqual(["stop"]);
  expect(afterSignalsAt(5_000, 5_000)).toEqual(["stop", "stop"]);
  expect(afterSignalsAt(5_000, 5_300, 5_999, 6_000)).toEqual(["stop", "stop", "stop", "stop"]);
  expect(afterSignalsAt(5_000, 5_010, 6_001)).toEqual(["stop", "stop", "abort"]);
  expect(afterSignalsAt(0, 60_000)).toEqual(["stop", "abort"]);
});
