import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, withStates, withValues } from "../testing";
import { privacyProfile } from "./profile";

test.each([
  ["Firefox as installed randomises canvases", CAPTURED.firefox, "gecko-fpp"],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting, "gecko-rfp"],
  ["Tor Browser, which has no WebRTC", DESCRIBED.torBrowser, "tor"],
  ["Firefox in a private window", CAPTURED.firefoxPrivate, "gecko-fpp"],
  ["Epiphany", CAPTURED.epiphany, "webkit"],
  ["Brave", DESCRIBED.braveWindows11, "brave"],
  ["Safari", DESCRIBED.safariMac, "webkit"],
  ["Chromium", CAPTURED.chromium, "none"],
  ["Chromium disguised as Safari", CAPTURED.playwrightAsIphone, "none"],
] as const)("%s: %s", (_name, visit, profile) => {
  expect(privacyProfile(visit)).toBe(profile);
});

test("a UTC clock alone is not resistFingerprinting", () => {
  expect(privacyProfile(withValues(CAPTURED.firefox, { timezone: { january: 0, july: 0, now: 0 } }))).toBe("gecko-fpp");
});

test("Firefox before 120 adds no hidden noise", () => {
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0";
  expect(privacyProfile(withValues(CAPTURED.firefox, { navigator: { userAgent } }))).toBe("none");
});

test("without an engine probe the user agent decides", () => {
  expect(privacyProfile(withStates(DESCRIBED.safariMac, { engine: "missing" }))).toBe("webkit");
});

test("a Brave object added by a script has no effect", () => {
  const visit = withValues(DESCRIBED.braveWindows11, { automation: { navigatorProperties: ["brave"] } });
  expect(privacyProfile(visit)).toBe("none");
});

test("a Brave flag outside Chromium has no effect", () => {
  expect(privacyProfile(withValues(CAPTURED.firefox, { navigator: { isBrave: true } }))).toBe("gecko-fpp");
});
