import { pageClaim } from "../claims";
import type { EngineFamily } from "../families";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

type Engine = Exclude<EngineFamily, "unknown">;

/**
 * `navigator.vendor` and `productSub`, which the standard fixes for each engine. Opera kept its own vendor for a while.
 */
const VENDORS: Record<Engine, readonly string[]> = {
  blink: ["Google Inc.", "Opera Software ASA"],
  gecko: [""],
  webkit: ["Apple Computer, Inc."],
};
const PRODUCT_SUB: Record<Engine, string> = { blink: "20030107", gecko: "20100101", webkit: "20030107" };

/** Two constants of the engine, which a changed user agent usually does not change with it. */
export const identityVendor: Rule = {
  id: "identity.vendor",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "HTML standard, NavigatorID: navigator compatibility modes",
  harmlessCauses: ["An extension that changes the user agent", "Unusual builds of a browser"],
  check(visit) {
    const page = pageClaim(visit);
    const engine = page?.parsed.engine ?? "unknown";
    const { vendor, productSub } = groupValue(visit.signals, "navigator") ?? {};
    if (page === undefined || engine === "unknown") return undefined;
    const facts = [
      { label: "navigator.vendor", value: vendor, isOdd: vendor !== undefined && !VENDORS[engine].includes(vendor) },
      {
        label: "navigator.productSub",
        value: productSub,
        isOdd: productSub !== undefined && productSub !== PRODUCT_SUB[engine],
      },
    ];
    if (!facts.some(({ isOdd }) => isOdd)) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "A value that is fixed for this kind of browser is that of another kind.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: false },
        ...facts.flatMap(({ label, value, isOdd }) => (value === undefined ? [] : [{ label, value, isOdd }])),
        {
          label: "Expected of that browser",
          value: `${VENDORS[engine][0] || "empty"}, ${PRODUCT_SUB[engine]}`,
          isOdd: false,
        },
      ],
    };
  },
};
