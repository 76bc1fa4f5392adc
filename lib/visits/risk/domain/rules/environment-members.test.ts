import { expect, test } from "vitest";

import { CAPTURED, findingOf, withStates, withValues } from "../../testing";
import { environmentMembers } from "./environment-members";

const { chromium } = CAPTURED;
const replaced = (...tampered: string[]) => withValues(chromium, { automation: { tampered } });
const added = (...navigatorProperties: string[]) => withValues(chromium, { automation: { navigatorProperties } });

test.each([
  ["a replaced user agent", replaced("Navigator.userAgent")],
  ["a replaced user agent behind a replaced toString", replaced("Navigator.userAgent", "Function.toString")],
  ["frames behind a proxy", replaced("HTMLIFrameElement.contentWindow")],
  ["a webdriver flag on the object itself", added("webdriver")],
  ["a flag that makes the browser look like Brave", added("brave")],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(environmentMembers, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", chromium],
  ["Firefox", CAPTURED.firefox],
  [
    "noise that a privacy extension adds",
    replaced("HTMLCanvasElement.toDataURL", "WebGLRenderingContext.getParameter"),
  ],
  ["the toString of Angular, core-js and Sentry", replaced("Function.toString")],
  ["members added by an app's framework", added("app", "notification", "splashscreen")],
  ["a page that could not be looked at", withStates(chromium, { automation: "blocked" })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentMembers, visit)).toBeUndefined();
});
