import { pageClaim } from "../claims";
import { type Brand, brandLists, browserOfBrands } from "../client-hints";
import type { Compared, Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** A page that names its brands and a worker that has the interface but names none: a rewritten user agent. */
const isEmptied = ({ signals }: Visit, label: string) =>
  label === "Client hints in a worker" && groupValue(signals, "worker")?.brands?.length === 0;

/** The browser that a list names, its most specific brand; some lists leave the Chromium below it out. */
const named = (brands: readonly Brand[]) => browserOfBrands(brands)?.family;
const show = (brands: readonly Brand[]) => brands.map(({ brand }) => brand).join(", ") || "none";

/** Lists that name other browsers than the page's own list, which is the first that is not empty. */
function oddLists(visit: Visit): Compared[] {
  const lists = brandLists(visit);
  const first = lists.find(({ brands }) => brands.length > 0);
  if (first === undefined) return [];
  const family = named(first.brands);
  const unexpected = lists.filter(
    ({ label, brands }) => isEmptied(visit, label) || (brands.length > 0 && named(brands) !== family),
  );
  if (unexpected.length === 0) return [];
  return [
    { label: first.label, value: show(first.brands), isOdd: false },
    ...unexpected.map(({ label, brands }) => ({ label, value: show(brands), isOdd: true })),
  ];
}

/** Edge always gives both its token and its brand; other derivatives hide one of the two on some sites. */
function oddToken(visit: Visit): Compared[] {
  const page = pageClaim(visit);
  const list = brandLists(visit).find(({ brands }) => brands.length > 0);
  const isEmbedded = list?.brands.some(({ brand }) => brand.endsWith("WebView2")) === true;
  if (page?.parsed.engine !== "blink" || list === undefined || isEmbedded) return [];
  const hinted = named(list.brands);
  if (hinted === undefined || (hinted === "edge") === (page.parsed.family === "edge")) return [];
  return [
    { label: page.label, value: page.userAgent, isOdd: true },
    { label: list.label, value: show(list.brands), isOdd: false },
  ];
}

/** Client hints name the browser in up to four places; a disguise seldom reaches all. */
export const identityBrands: Rule = {
  id: "identity.brands",
  reason: "BROWSER_IDENTITY_MISMATCH",
  source: "WICG User-Agent Client Hints; measured on puppeteer-extra-plugin-stealth 2.11 and Playwright 1.65",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const compared = [...oddLists(visit), ...oddToken(visit)];
    if (compared.length === 0) return undefined;
    return {
      status: "DECEPTIVE",
      explanation: "The places in which the browser names itself do not name the same browser.",
      compared,
    };
  },
};
