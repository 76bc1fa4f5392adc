import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * First Chromium version that always has the property (false without a driver). Source: chromestatus,
 * navigator.webdriver.
 */
const FIRST_MAJOR = 89;

/** `navigator.webdriver` is missing from a browser that always has it, so something removed it. */
export const webdriverRemoved: Rule = {
  id: "automation.webdriver-removed",
  reason: "AUTOMATION_DETECTED",
  source:
    "W3C WebDriver, interface NavigatorAutomationInformation; puppeteer-extra-plugin-stealth, navigator.webdriver",
  harmlessCauses: ["An extension that hides the property", "Unusual builds of Chromium"],
  check(visit, identity) {
    const page = groupValue(visit.signals, "navigator");
    const { family, chromiumMajorVersion = 0 } = identity.browser;
    const isExpected =
      engineOf(visit) === "blink" && chromiumMajorVersion >= FIRST_MAJOR && !EMBEDDED_FAMILIES.includes(family);
    if (page === undefined || !isExpected || page.webdriver !== undefined) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation:
        "The browser lacks the property that tells whether software controls it, which every browser of this version has.",
      compared: [
        { label: "navigator.webdriver, page", value: "missing", isOdd: true },
        { label: "Expected of this version", value: "false", isOdd: false },
        { label: "Chromium version", value: String(chromiumMajorVersion), isOdd: false },
      ],
    };
  },
};
