import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withUserAgent, withValues } from "../../testing";
import type { Visit } from "../visit";
import { identityUserAgentText } from "./identity-user-agent-text";

const { chromium, firefox, epiphany } = CAPTURED;
const { chromeWindows11, edgeWindows11 } = DESCRIBED;

const rewritten = (visit: Visit, change: (userAgent: string) => string): Visit =>
  withUserAgent(visit, change(visit.request.userAgent ?? ""));
const chrome = (system: string, version: string, rest = "") =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36${rest}`;
/** A Chromium of another version that is consistent in all that this rule reads. */
const released = (visit: Visit, userAgent: string, major: string, brand = "Google Chrome"): Visit => {
  const brands = [
    { brand: "Chromium", version: major },
    { brand, version: major },
  ];
  return withValues(withUserAgent(visit, userAgent), { uaData: { brands, fullVersionList: brands } });
};

test.each([
  ["Chromium of a distribution", rewritten(chromium, (text) => text.replace("X11; ", "X11; Ubuntu; "))],
  ["Chromium of another processor", rewritten(chromium, (text) => text.replace("x86_64", "i686"))],
  ["Chromium that is a phone on Linux", rewritten(chromium, (text) => text.replace("Safari", "Mobile Safari"))],
  ["Chromium that names ChromeOS by an option", CAPTURED.chromiumAsChromeOsHeadless],
  ["Chromium that is SeaMonkey", rewritten(chromium, (text) => `${text} SeaMonkey/2.53.18`)],
  ["Chromium with marks of Gecko", rewritten(chromium, (text) => text.replace("x86_64", "x86_64; rv:153.0"))],
  ["Chromium with its name twice", rewritten(chromium, (text) => `${text} ${text}`)],
  ["Chrome on Windows 7", released(chromeWindows11, chrome("Windows NT 6.1; WOW64", "142.0.0.0"), "142")],
  [
    "Chrome on a Mac of 2013",
    released(chromeWindows11, chrome("Macintosh; Intel Mac OS X 10_9_5", "142.0.0.0"), "142"),
  ],
  [
    "Chrome with a full version, after the policy",
    released(chromeWindows11, chrome("Windows NT 10.0; Win64; x64", "150.0.7700.12"), "150"),
  ],
  ["Edge of 32 bits", rewritten(edgeWindows11, (text) => text.replace("Win64; x64", "WOW64"))],
  ["Firefox of another processor", rewritten(firefox, (text) => text.replace("x86_64", "i686"))],
  [
    "Firefox of Windows",
    rewritten(firefox, (text) => text.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64")),
  ],
  ["Firefox without its name", rewritten(firefox, (text) => text.replace(/ Firefox.*/, ""))],
  ["Firefox with its name twice", rewritten(firefox, (text) => `${text}, ${text}`)],
  ["WebKitGTK of another processor", rewritten(epiphany, (text) => text.replace("x86_64", "i686"))],
  ["WebKitGTK with its name twice", rewritten(epiphany, (text) => `${text} ${text}`)],
])("%s is SUSPICIOUS", (_name, visit) => {
  expect(findingOf(identityUserAgentText, visit)?.status).toBe("SUSPICIOUS");
});

const STEAM = "Windows; U; Windows NT 10.0; en-US; Valve Steam Client/default/1747701111";

test.each([
  ...Object.entries(CAPTURED).filter(([name]) => !/^(?:playwright|selenium|puppeteer|chromiumAs)/.test(name)),
  ...Object.entries(DESCRIBED),
  ["Firefox of Ubuntu", rewritten(firefox, (text) => text.replace("X11; ", "X11; Ubuntu; "))],
  ["a derivative of Firefox", rewritten(firefox, (text) => `${text} SeaMonkey/2.53.18`)],
  [
    "Firefox on a phone that asks for the desktop site",
    withValues(firefox, { navigator: { oscpu: "Linux armv81", platform: "Linux armv81", maxTouchPoints: 5 } }),
  ],
  [
    "Chrome whose administrator keeps the full version",
    released(chromeWindows11, chrome("Windows NT 10.0; Win64; x64", "130.0.6723.92"), "130"),
  ],
  [
    "Chrome before the reduction",
    released(chromeWindows11, chrome("Windows NT 6.1; Win64; x64", "109.0.5414.120"), "109"),
  ],
  [
    "a program with Chromium inside that hides its name",
    released(chromium, chrome("X11; Linux x86_64", "150.0.7700.12"), "150", "Not A Brand"),
  ],
  [
    "a program that names itself in the system",
    released(chromium, chrome(STEAM, "150.0.7700.12"), "150", "Not A Brand"),
  ],
  [
    "a browser that adds its name",
    released(chromeWindows11, chrome("Windows NT 10.0; Win64; x64", "142.0.0.0", " CCleaner/142.0.0.0"), "142"),
  ],
  [
    "Chromium without client hints",
    withStates(
      rewritten(chromium, (text) => text.replace("x86_64", "aarch64")),
      { uaData: "absent", worker: "absent" },
    ),
  ],
  [
    "Firefox that resists fingerprinting under another system",
    rewritten(CAPTURED.firefoxResistFingerprinting, (text) => text.replace("X11; Linux x86_64", "Windows NT 10.0")),
  ],
] as [string, Visit][])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityUserAgentText, visit)).toBeUndefined();
});
