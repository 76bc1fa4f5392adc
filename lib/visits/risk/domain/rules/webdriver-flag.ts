import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * `navigator.webdriver` is true in some realm. The standard requires driven browsers to set it, so no disguise explains
 * it.
 */
export const webdriverFlag: Rule = {
  id: "automation.webdriver-flag",
  reason: "AUTOMATION_DETECTED",
  source: "W3C WebDriver, interface NavigatorAutomationInformation",
  harmlessCauses: ["The site's own end-to-end tests", "Uptime monitors", "Accessibility tools that drive a browser"],
  check({ signals }) {
    const realms = [
      { realm: "page", flag: groupValue(signals, "navigator")?.webdriver },
      { realm: "worker", flag: groupValue(signals, "worker")?.webdriver },
      { realm: "frame", flag: groupValue(signals, "iframe")?.webdriver },
    ];
    if (!realms.some(({ flag }) => flag === true)) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The browser itself says that software controls it.",
      compared: [
        ...realms.flatMap(({ realm, flag }) =>
          flag === undefined ? [] : [{ label: `navigator.webdriver, ${realm}`, value: String(flag), isOdd: flag }],
        ),
        { label: "Expected if a person uses the browser", value: "false", isOdd: false },
      ],
    };
  },
};
