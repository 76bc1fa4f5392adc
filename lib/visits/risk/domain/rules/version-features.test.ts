import { expect, test } from "vitest";

import { FEATURES } from "@/lib/contract/signal-lists";

import { CAPTURED, DESCRIBED, findingOf, withBits, withUserAgent } from "../../testing";
import type { Visit } from "../visit";
import { versionFeatures } from "./version-features";

const { chromium, firefox } = CAPTURED;
const chromeOf = (major: number) =>
  withUserAgent(
    chromium,
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
  );
const firefoxOf = (version: string) =>
  withUserAgent(firefox, `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`);
const without = (visit: Visit, ...names: (typeof FEATURES)[number][]) =>
  withBits(visit, "features", FEATURES.map((feature) => (names.includes(feature) ? "0" : "1")).join(""));

/** The features of Chrome 136 itself, and those added by core-js and a Temporal polyfill. */
const CHROME_136_FILLED = FEATURES.map((feature) =>
  ["Array.prototype.group", "WebAssembly.promising", "ApplePaySession"].includes(feature) ? "0" : "1",
).join("");

test.each([
  ["a new Chromium that calls itself 100", chromeOf(100), "DECEPTIVE"],
  ["a new Chromium that calls itself 130", chromeOf(130), "SUSPICIOUS"],
  ["a new Chromium that calls itself 136", chromeOf(136), "SUSPICIOUS"],
  ["a new Firefox that calls itself 147", firefoxOf("147.0"), "SUSPICIOUS"],
  ["a new Firefox that calls itself 128", firefoxOf("128.0"), "DECEPTIVE"],
  [
    "an older Chromium that calls itself 156",
    without(chromium, "Temporal.Now", "Map.prototype.getOrInsert"),
    "SUSPICIOUS",
  ],
  [
    "an old Chromium that calls itself 156",
    without(chromium, "Promise.withResolvers", "Promise.try", "Set.prototype.union", "Iterator.prototype.map"),
    "DECEPTIVE",
  ],
  [
    "an old Firefox that calls itself 153",
    without(firefoxOf("153.0"), "Promise.try", "Math.sumPrecise", "RegExp.escape", "Error.isError"),
    "DECEPTIVE",
  ],
])("catches %s as %s", (_name, visit, status) => {
  expect(findingOf(versionFeatures, visit)?.status).toBe(status);
});

test.each([
  ["Chromium", chromium],
  ["Chromium one release behind its features", chromeOf(155)],
  ["Firefox", firefox],
  ["an old Chrome on which libraries filled in the language", DESCRIBED.chromeWindows11],
  ["a library that replaced Promise", without(chromium, "Promise.try", "Promise.withResolvers")],
  ["one part of the language that a page broke", without(chromium, "Iterator.prototype.map")],
  ["parts that came with the last releases", without(chromeOf(150), "Map.prototype.getOrInsert", "Math.sumPrecise")],
  ["a real Chrome 136 with polyfills for later features", withBits(chromeOf(136), "features", CHROME_136_FILLED)],
  ["Safari", DESCRIBED.safariMac],
  ["an app's web view that names any version", withBits(DESCRIBED.androidWebView, "features", "0".repeat(34))],
  ["Tor Browser", DESCRIBED.torBrowser],
  ["a list shorter than this one", withBits(chromium, "features", "1")],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(versionFeatures, visit)).toBeUndefined();
});
