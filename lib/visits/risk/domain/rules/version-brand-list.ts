import { type Brand, type BrandList, brandLists } from "../client-hints";
import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { majorOf } from "../user-agent";

/**
 * The GREASE brand, which Chromium adds to its list to keep sites from relying on fixed values. Its punctuation and
 * version depend on the release. Source: Chromium, components/embedder_support/user_agent_utils.cc. Measured on 87 to
 * 156, and applied only to measured releases that use the present form.
 */
const PUNCTUATION = [" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"] as const;
const VERSIONS = ["8", "99", "24"] as const;
const FIRST_MAJOR = 120;
const LAST_MAJOR = 156;

const at = (list: readonly string[], index: number) => list[index % list.length] ?? "";

export const madeUpBrand = (major: number) => ({
  brand: `Not${at(PUNCTUATION, major)}A${at(PUNCTUATION, major + 1)}Brand`,
  version: at(VERSIONS, major),
});

const show = ({ brand, version }: Brand) => `${brand} ${majorOf(version) ?? ""}`.trim();

/** The GREASE brand that a list lacks, and what it has instead. Undefined if its release is outside the known range. */
function oddList({ brands, browser }: BrandList): { expected: string; seen: string } | undefined {
  const major = browser?.chromiumMajorVersion;
  if (major === undefined || major < FIRST_MAJOR || major > LAST_MAJOR) return undefined;
  const expected = show(madeUpBrand(major));
  return brands.some((brand) => show(brand) === expected) ? undefined : { expected, seen: brands.map(show).join(", ") };
}

/** A brand list that the release named in it would not generate, so it was written by something else. */
export const versionBrandList: Rule = {
  id: "version.brand-list",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "WICG User-Agent Client Hints, arbitrary brands; Chromium, user_agent_utils.cc",
  harmlessCauses: ["An extension that changes the user agent", "An unusual build of Chromium"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit, identity) {
    if (engineOf(visit) !== "blink" || EMBEDDED_FAMILIES.includes(identity.browser.family)) return undefined;
    const unexpected = brandLists(visit).flatMap((list) => {
      const found = oddList(list);
      return found === undefined ? [] : [{ label: list.label, ...found }];
    });
    const [first] = unexpected;
    if (first === undefined) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser's list of brand names does not match the version that it names.",
      compared: [
        ...unexpected.map(({ label, seen }) => ({ label, value: seen, isOdd: true })),
        { label: "Placeholder brand that this version adds", value: first.expected, isOdd: false },
      ],
    };
  },
};
