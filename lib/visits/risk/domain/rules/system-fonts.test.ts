import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, fontBits, withBits } from "../../testing";
import { systemFonts } from "./system-fonts";

const { chromeWindows11, safariMac, chromeAndroid, braveWindows11 } = DESCRIBED;
const LINUX = fontBits("Arial", "DejaVu Sans", "Liberation Sans");

test.each([
  ["Windows with the fonts of Linux", withBits(chromeWindows11, "fonts", LINUX)],
  ["a Mac with the fonts of Linux", withBits(safariMac, "fonts", LINUX)],
  ["Playwright that calls itself Windows", CAPTURED.playwrightDisguised],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(systemFonts, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Windows with its own fonts", chromeWindows11],
  ["a Mac with its own fonts", safariMac],
  ["a Mac with fonts of Linux beside its own", withBits(safariMac, "fonts", fontBits("Menlo", "DejaVu Sans"))],
  ["a browser that hides all fonts", withBits(chromeWindows11, "fonts", fontBits())],
  ["Linux", CAPTURED.chromium],
  ["Android", withBits(chromeAndroid, "fonts", LINUX)],
  ["Brave, which shows other fonts to each site", withBits(braveWindows11, "fonts", LINUX)],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemFonts, visit)).toBeUndefined();
});
