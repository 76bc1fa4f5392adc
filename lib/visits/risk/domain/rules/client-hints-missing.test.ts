import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, withStates, withValues } from "../../testing";
import { assessRisk } from "../assess-risk";
import type { Visit } from "../visit";
import { clientHintsMissing } from "./client-hints-missing";

// From the whole assessment, so that privacy profiles apply.
const check = (visit: Visit) => assessRisk(visit).evidence.find(({ ruleId }) => ruleId === clientHintsMissing.id);

const chrome = DESCRIBED.chromeWindows11;
const calling = (userAgent: string) =>
  withStates(withValues(chrome, { navigator: { userAgent } }), { uaData: "absent" });
const androidChromium =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile";
const withVersion = (major: number) =>
  withValues(chrome, {
    navigator: {
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    },
  });

/** Says that its page is not secure, and so explains why it has no client hints. */
const insecure = (isFramed: boolean, isToTrustedAddress: boolean) =>
  withStates(withValues(chrome, { page: { isSecureContext: false, isFramed } }, { isToTrustedAddress }), {
    uaData: "absent",
  });

test.each([
  ["Chrome without client hints on a secure page", withStates(chrome, { uaData: "absent" })],
  ["Chrome whose submission leaves them out", withStates(chrome, { uaData: "missing" })],
  ["Chrome with empty client hints", withValues(chrome, { uaData: { brands: [], fullVersionList: [] } })],
  ["Chrome on Android", calling(`${androidChromium} Safari/537.36`)],
  ["Chrome on an https origin that calls its page insecure", insecure(false, true)],
  ["Chromium 90, the first that must have them", withStates(withVersion(90), { uaData: "absent" })],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(check(visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chrome with client hints", chrome],
  ["Chrome on an http origin", insecure(false, false)],
  ["Chrome on an https origin in a frame of an insecure page", insecure(true, true)],
  ["a page that did not tell whether it is secure", withStates(chrome, { uaData: "absent", page: "missing" })],
  ["Chromium 89", withStates(withVersion(89), { uaData: "absent" })],
  ["Brave", withStates(DESCRIBED.braveWindows11, { uaData: "absent" })],
  ["Android WebView, which has none", DESCRIBED.androidWebView],
  ["a browser on Android built on a web view", calling(`${androidChromium} DuckDuckGo/5 Safari/537.36`)],
  ["Opera on Android, which had none for long", calling(`${androidChromium} Safari/537.36 OPR/92.0.0.0`)],
  ["Firefox", CAPTURED.firefox],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting],
  ["Tor Browser", DESCRIBED.torBrowser],
  ["Safari", DESCRIBED.safariMac],
  [
    "a Firefox that calls itself Chrome",
    withValues(CAPTURED.firefox, { navigator: { userAgent: "Mozilla/5.0 Chrome/142.0.0.0" } }),
  ],
  ["client hints that a policy blocks", withStates(chrome, { uaData: "blocked" })],
  ["client hints that came too late", withStates(chrome, { uaData: "timeout" })],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
