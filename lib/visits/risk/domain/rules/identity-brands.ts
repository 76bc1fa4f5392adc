import { pageClaim } from "../claims";
import { type Brand, brandLists } from "../client-hints";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** A worker that has the interface but no brands, while the page has some: the user agent was rewritten. */
const isEmptied = ({ signals }: Visit, label: string) =>
  label === "Client hints in a worker" && groupValue(signals, "worker")?.brands?.length === 0;

const show = (brands: readonly Brand[]) => brands.map(({ brand }) => brand).join(", ") || "none";

/** Lists that identify a different browser from the first list that is not empty. */
function oddLists(visit: Visit): Compared[] {
  const lists = brandLists(visit);
  const first = lists.find(({ brands }) => brands.length > 0);
  if (first === undefined) return [];
  const family = first.browser?.family;
  const unexpected = lists.filter(
    ({ label, brands, browser }) => isEmptied(visit, label) || (brands.length > 0 && browser?.family !== family),
  );
  if (unexpected.length === 0) return [];
  return [
    { label: first.label, value: show(first.brands), isOdd: false },
    ...unexpected.map(({ label, brands }) => ({ label, value: show(brands), isOdd: true })),
  ];
}

/** Edge always sends both its token and its brand. Other derivatives hide one of them on some sites. */
function oddToken(visit: Visit): Compared[] {
  const page = pageClaim(visit);
  const list = brandLists(visit).find(({ brands }) => brands.length > 0);
  const isEmbedded = list?.brands.some(({ brand }) => brand.endsWith("WebView2")) === true;
  if (page?.parsed.engine !== "blink" || list === undefined || isEmbedded) return [];
  const hinted = list.browser?.family;
  if (hinted === undefined || (hinted === "edge") === (page.parsed.family === "edge")) return [];
  return [
    { label: page.label, value: page.userAgent, isOdd: true },
    { label: list.label, value: show(list.brands), isOdd: false },
  ];
}

/** Client hints identify the browser in up to four places, and disguises rarely cover all of them. */
export const identityBrands: Rule = {
  id: "identity.brands",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "WICG User-Agent Client Hints; measured on puppeteer-extra-plugin-stealth 2.11 and Playwright 1.65",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const compared = [...oddLists(visit), ...oddToken(visit)];
    return {
      status: "DECEPTIVE",
      explanation: "The places in which the browser names itself do not name the same browser.",
      compared,
    };
  },
};
