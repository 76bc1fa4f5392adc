import type { Rule } from "../rule";
import { groupValue } from "../visit";

const TOOL_ATTRIBUTES = ["webdriver", "selenium", "driver"];

/** Attributes that Selenium and older Firefox drivers set on the root element. */
export const rootAttributes: Rule = {
  id: "automation.root-attributes",
  reason: "AUTOMATION_DETECTED",
  source: "BotD 2.0 (documentAttributes)",
  harmlessCauses: ["The site's own end-to-end tests", "A page that sets such an attribute itself"],
  check({ signals }) {
    const found = (groupValue(signals, "automation")?.attributes ?? []).filter((name) =>
      TOOL_ATTRIBUTES.includes(name),
    );
    if (found.length === 0) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The page has an attribute that tools for driving browsers set.",
      compared: [
        ...found.map((name) => ({ label: "Attribute of the root element", value: name, isOdd: true })),
        { label: "Expected", value: "none of these", isOdd: false },
      ],
    };
  },
};
