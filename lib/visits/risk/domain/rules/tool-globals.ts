import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * Names that each tool defines on `window` or `document`. ChromeDriver's consist of a prefix and 22 characters; stealth
 * builds change the prefix. Recording extensions are excluded, as people use them by hand.
 */
const TOOLS: readonly { tool: string; name: RegExp }[] = [
  { tool: "ChromeDriver", name: /^(?:\$?cdc_[A-Za-z0-9]|\$chrome_asyncScriptInfo$|__\$webdriverAsyncExecutor$)/ },
  { tool: "ChromeDriver", name: /^[a-z]{3}_[A-Za-z0-9]{22}_(?:Array|JSON|Object|Promise|Proxy|Symbol|Window)$/ },
  { tool: "Playwright", name: /^__(?:playwright|pw(?:_|[A-Z]))/ },
  { tool: "Puppeteer", name: /^__puppeteer/ },
  { tool: "WebDriver", name: /^(?:__\$?webdriver|__driver_|__fxdriver|_WEBDRIVER_)/ },
  { tool: "Selenium", name: /^(?:__selenium|_selenium$|call(?:ed)?Selenium$)/ },
  { tool: "Chromium under test", name: /^domAutomation(?:Controller)?$/ },
  { tool: "PhantomJS", name: /^(?:_phantom|__phantom|callPhantom)/ },
  { tool: "Nightmare", name: /^__nightmare$/ },
  { tool: "Watir", name: /^__lastWatir/ },
];

const toolOf = (name: string) => TOOLS.find((entry) => entry.name.test(name))?.tool;

/** Names that browser-driving tools leave on the page. Unknown names are no evidence. */
export const toolGlobals: Rule = {
  id: "automation.tool-globals",
  reason: "AUTOMATION_DETECTED",
  source: "BotD 2.0 (distinctiveProperties), fpscanner 1.0 (playwright, selenium)",
  harmlessCauses: ["The site's own end-to-end tests", "Uptime monitors built on these tools"],
  check({ signals }) {
    const found = (groupValue(signals, "automation")?.globals ?? []).flatMap((name) => {
      const tool = toolOf(name);
      return tool === undefined ? [] : [{ label: `Left by ${tool}`, value: name, isOdd: true }];
    });
    if (found.length === 0) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The page has objects that only tools for driving browsers create.",
      compared: [...found, { label: "Expected", value: "none of these", isOdd: false }],
    };
  },
};
