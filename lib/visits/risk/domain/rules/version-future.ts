import { pageClaim } from "../claims";
import { FEATURE_SOURCE, newestMajor } from "../feature-versions";
import { releaseOf } from "../releases";
import type { Rule } from "../rule";

/** A version that was neither released nor announced by the day of the visit. */
export const versionFuture: Rule = {
  id: "version.future",
  reason: "BROWSER_VERSION_MISMATCH",
  source: `${FEATURE_SOURCE}: release dates, and the fastest recent pace of releases`,
  harmlessCauses: ["A user agent that a person or an extension wrote by hand", "A private build of the browser"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const page = pageClaim(visit);
    const release = page && releaseOf(page.parsed);
    if (release === undefined || visit.now === undefined) return undefined;
    const newest = newestMajor(release.engine, visit.now);
    if (release.major <= newest) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The browser names a version that had not been released on the day of the visit.",
      compared: [
        { label: page?.label ?? "", value: `Version ${release.major}`, isOdd: true },
        { label: "Newest version that could exist on that day", value: String(newest), isOdd: false },
      ],
    };
  },
};
