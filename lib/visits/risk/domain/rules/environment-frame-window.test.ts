import { expect, test } from "vitest";

import { CAPTURED, findingOf, withStates, withValues } from "../../testing";
import { environmentFrameWindow } from "./environment-frame-window";

test("catches a frame whose window is not its own self as SUSPICIOUS", () => {
  const visit = withValues(CAPTURED.chromium, { iframe: { isSelfWindow: false } });
  expect(findingOf(environmentFrameWindow, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["Firefox", CAPTURED.firefox],
  ["a page whose frames a blocker empties", withStates(CAPTURED.chromium, { iframe: "absent" })],
  ["a component that did not look", withValues(CAPTURED.chromium, { iframe: { isSelfWindow: undefined } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentFrameWindow, visit)).toBeUndefined();
});
