import { expect, test } from "vitest";

import { FEATURES } from "@/lib/contract/signal-lists";

import { CAPTURED, DESCRIBED, findingOf, withBits, withUserAgent, withValues } from "../../testing";
import { groupValue, type Visit } from "../visit";
import { identityForeignMembers } from "./identity-foreign-members";

const { chromium, epiphany, falkon, firefox, firefoxPrivate, firefoxResistFingerprinting, qutebrowser } = CAPTURED;
const REAL = { chromium, epiphany, falkon, firefox, firefoxPrivate, firefoxResistFingerprinting, qutebrowser };
const NEWEST_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:999.0) Gecko/20100101 Firefox/999.0";
const CHROME_ON_IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1";

const withGroup = (visit: Visit, name: "uaData" | "features" | "worker", donor: Visit): Visit => ({
  ...visit,
  signals: { ...visit.signals, [name]: donor.signals[name] },
});
const having = (visit: Visit, ...added: (typeof FEATURES)[number][]): Visit => {
  const bits = Array.from(groupValue(visit.signals, "features") ?? "");
  return withBits(
    visit,
    "features",
    bits.map((bit, at) => (added.some((name) => FEATURES[at] === name) ? "1" : bit)).join(""),
  );
};

test.each([
  ["Firefox with the client hints of Chromium", withGroup(firefox, "uaData", chromium)],
  ["Firefox with the interfaces of Chromium", withGroup(firefox, "features", chromium)],
  ["Firefox with the worker of Chromium", withGroup(firefox, "worker", chromium)],
  ["WebKit with the client hints of Chromium", withGroup(epiphany, "uaData", chromium)],
  ["Safari with the interfaces of Chromium", withGroup(DESCRIBED.safariMac, "features", chromium)],
  ["Chromium with a member that only Firefox has", withValues(chromium, { navigator: { oscpu: "Linux x86_64" } })],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(identityForeignMembers, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ...Object.entries({ ...REAL, ...DESCRIBED }),
  ["Firefox with one interface that something added", having(firefox, "navigator.bluetooth")],
  ["a Firefox that is newer than the table", withUserAgent(withGroup(firefox, "features", chromium), NEWEST_FIREFOX)],
  ["Chrome on an iPhone", withUserAgent(DESCRIBED.safariIphone, CHROME_ON_IPHONE)],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityForeignMembers, visit)).toBeUndefined();
});
