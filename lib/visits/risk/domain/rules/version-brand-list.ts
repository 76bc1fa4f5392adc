import { type Brand, brandLists } from "../client-hints";
import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { majorOf } from "../user-agent";

/**
 * The made-up brand that Chromium adds to its list, so that sites do not rely on the others: its punctuation and its
 * version follow from the release. Source: Chromium, components/embedder_support/user_agent_utils.cc; measured on 87 to
 * 156, applied to those that were measured in its present form.
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

/** What a list should hold and does not; undefined where its release is not one of those that are known. */
function oddList(brands: readonly Brand[]): { expected: string; seen: string } | undefined {
  const major = majorOf(brands.find(({ brand }) => brand === "Chromium")?.version);
  if (major === undefined || major < FIRST_MAJOR || major > LAST_MAJOR) return undefined;
  const expected = show(madeUpBrand(major));
  return brands.some((brand) => show(brand) === expected) ? undefined : { expected, seen: brands.map(show).join(", ") };
}

/** A brand list that the release which it names does not write: somebody else wrote it. */
export const versionBrandList: Rule = {
  id: "version.brand-list",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "WICG User-Agent Client Hints, arbitrary brands; Chromium, user_agent_utils.cc",
  harmlessCauses: ["An extension that changes the user agent", "An unusual build of Chromium"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit, identity) {
    if (engineOf(visit) !== "blink" || EMBEDDED_FAMILIES.includes(identity.browser.family)) return undefined;
    const unexpected = brandLists(visit).flatMap(({ label, brands }) => {
      const found = brands.length === 0 ? undefined : oddList(brands);
      return found === undefined ? [] : [{ label, ...found }];
    });
    const [first] = unexpected;
    if (first === undefined) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The list of names that the browser gives was not written by the version that it names.",
      compared: [
        ...unexpected.map(({ label, seen }) => ({ label, value: seen, isOdd: true })),
        { label: "Written by that version beside its own names", value: first.expected, isOdd: false },
      ],
    };
  },
};
