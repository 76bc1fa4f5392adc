import { expect, test } from "vitest";

import { CAPTURED, withStates, withValues } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { navigatorMissing } from "./navigator-missing";

const check = (visit: Visit) => navigatorMissing.check(visit, identify(visit), "none");

test.each(["missing", "absent", "blocked", "timeout", "error"] as const)(
  "catches a navigator group that is %s",
  (state) => {
    expect(check(withStates(CAPTURED.chromium, { navigator: state }))?.status).toBe("SUSPICIOUS");
  },
);

test.each([
  ["a complete visit", CAPTURED.chromium],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting],
  [
    "a navigator with few fields",
    withValues(CAPTURED.chromium, { navigator: { platform: undefined, languages: undefined } }),
  ],
  [
    "blocked workers, no WebGL and no audio",
    withStates(CAPTURED.chromium, { worker: "blocked", webgl: "absent", audio: "absent" }),
  ],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
