import { contradictingClaims } from "../claims";
import { systemsAgree } from "../platforms";
import type { Compared } from "../evidence";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

/** Platforms of worker and frame that differ from the page's. */
function oddPlatforms({ signals }: Visit): Compared[] {
  const page = groupValue(signals, "navigator")?.platform;
  const others = [
    { label: "navigator.platform, worker", value: groupValue(signals, "worker")?.platform },
    { label: "navigator.platform, frame", value: groupValue(signals, "iframe")?.platform },
  ];
  if (page === undefined) return [];
  const unexpected = others.flatMap(({ label, value }) =>
    value === undefined || value === page ? [] : [{ label, value, isOdd: true }],
  );
  return unexpected.length === 0
    ? []
    : [{ label: "navigator.platform, page", value: page, isOdd: false }, ...unexpected];
}

/** Worker, frame or request header name a different system from the page. */
export const systemRealms: Rule = {
  id: "system.realms",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "HTML standard, NavigatorID: every realm shares one platform; FP-Inconsistent (arXiv 2406.07647)",
  harmlessCauses: ["An extension that changes the user agent", "Device emulation in developer tools"],
  // These deliberately name a different system in the header than in the page.
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const touchPoints = groupValue(visit.signals, "navigator")?.maxTouchPoints;
    const claims = contradictingClaims(
      visit,
      (page, other) => !systemsAgree(page.operatingSystem, other.operatingSystem, touchPoints),
    );
    const compared = [...claims, ...oddPlatforms(visit)];
    return {
      status: "DECEPTIVE",
      explanation: "The browser names different operating systems to the page, to its other scripts or to the server.",
      compared,
    };
  },
};
