import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withValues } from "../../testing";
import type { Visit } from "../visit";
import { environmentGraphics } from "./environment-graphics";

const drawing = (visit: Visit, page: string, worker: string) =>
  withValues(visit, { webgl: { renderer: page, limits: [8192] }, worker: { renderer: worker } });

test("catches a page and a worker with different graphics as SUSPICIOUS", () => {
  const visit = drawing(CAPTURED.chromium, "Intel Iris OpenGL Engine", "ANGLE (Google, Vulkan 1.3.0 (SwiftShader))");
  expect(findingOf(environmentGraphics, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["the same graphics", CAPTURED.playwrightHeadfulFlagOff],
  ["a page without graphics", withStates(drawing(CAPTURED.chromium, "A", "B"), { webgl: "absent" })],
  ["a page whose card has no name", drawing(CAPTURED.chromium, "", "B")],
  ["a worker whose card has no name", drawing(CAPTURED.chromium, "A", "")],
  ["a worker without graphics", withValues(drawing(CAPTURED.chromium, "A", "B"), { worker: { renderer: undefined } })],
  ["Firefox", drawing(CAPTURED.firefox, "A", "B")],
  ["Safari", drawing(DESCRIBED.safariMac, "Apple GPU", "Apple M1")],
  ["Brave", drawing(DESCRIBED.braveWindows11, "A", "B")],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentGraphics, visit)).toBeUndefined();
});
