import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent } from "../../testing";
import type { Visit } from "../visit";
import { versionFuture } from "./version-future";

const at = (visit: Visit, day: string): Visit => ({ ...visit, now: new Date(`${day}T12:00:00Z`) });
const chromeOf = (major: number) =>
  withUserAgent(
    CAPTURED.chromium,
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
  );
const firefoxOf = (major: number) =>
  withUserAgent(CAPTURED.firefox, `Mozilla/5.0 (X11; Linux x86_64; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`);

test.each([
  ["Chrome 170", chromeOf(170)],
  ["Chrome 999", chromeOf(999)],
  ["Firefox 200", firefoxOf(200)],
])("%s did not exist in November 2026", (_name, visit) => {
  expect(findingOf(versionFuture, at(visit, "2026-11-22"))?.status).toBe("SUSPICIOUS");
});

test.each([
  ["a release of the day", CAPTURED.chromium, "2026-11-22"],
  ["a canary that is two releases ahead of the announced ones", chromeOf(162), "2026-11-22"],
  ["the same version a year later, on a service that was not updated", chromeOf(180), "2027-11-22"],
  ["a release from before the data was made", chromeOf(150), "2026-06-30"],
  ["Safari", DESCRIBED.safariMac, "2026-11-22"],
  ["an app's web view that names any version", DESCRIBED.androidWebView, "2020-01-01"],
])("leaves %s alone", (_name, visit, day) => {
  expect(findingOf(versionFuture, at(visit, day))).toBeUndefined();
});

test("a visit without a date is not assessed", () => {
  expect(findingOf(versionFuture, chromeOf(999))).toBeUndefined();
});
