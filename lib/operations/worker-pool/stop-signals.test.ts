import { expect, test } from "vitest";

import { createStopSignals } from "./stop-signals";

function afterSignalsAt(...times: number[]): string[] {
  const done: string[] = [];
  const stop = () => done.push("stop");
  const giveUp = () => done.push("give up");
  for (
    const onSignal = createStopSignals({ stop, giveUp, clock: () => times[0] ?? 0 });
    times.length > 0;
    times.shift()
  )
    onSignal();
  return done;
}

test("signals within a second are one wish, however many; one after it is impatience", () => {
  expect(afterSignalsAt(5_000)).toEqual(["stop"]);
  expect(afterSignalsAt(5_000, 5_000)).toEqual(["stop", "stop"]);
  expect(afterSignalsAt(5_000, 5_300, 5_999, 6_000)).toEqual(["stop", "stop", "stop", "stop"]);
  expect(afterSignalsAt(5_000, 5_010, 6_001)).toEqual(["stop", "stop", "give up"]);
  expect(afterSignalsAt(0, 60_000)).toEqual(["stop", "give up"]);
});
