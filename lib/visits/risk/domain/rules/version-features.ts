import { pageClaim } from "../claims";
import {
  type Dated,
  earlyFeatures,
  FEATURE_SOURCE,
  isInimitable,
  missingFeatures,
  objectOf,
  releasesBetween,
} from "../feature-versions";
import { engineOf } from "../profile";
import { type Release, releaseOf } from "../releases";
import type { Finding, Rule } from "../rule";
import { groupValue } from "../visit";

/** Trials and flags bring an interface to testers a few releases early. */
const TRIAL_RELEASES = 2;
/** From so many releases on a claim is no longer explained by a trial, a patched build or a late update. */
const FAR_RELEASES = 6;
/** How many features tell a wrong version from a trial, a flag or a patched build. */
const SOME = 2;
const MANY = 3;

const objectsIn = (features: readonly Dated[]) => new Set(features.map(objectOf)).size;

/** Parts of the language that are missing: a browser older than it says. */
function older({ engine, version }: Release, bits: string) {
  const missing = missingFeatures(bits, engine, version);
  const far = missing.filter(({ since }) => releasesBetween(engine, since, version) >= FAR_RELEASES);
  if (objectsIn(missing) >= MANY) return { status: "DECEPTIVE" as const, features: missing };
  return objectsIn(far) >= SOME ? { status: "SUSPICIOUS" as const, features: missing } : undefined;
}

/**
 * Interfaces that came later: a browser newer than it says. Parts of the language, which a library may have added, count
 * together with an interface, which it cannot have.
 */
function newer({ engine, version }: Release, bits: string) {
  const early = earlyFeatures(bits, engine, version);
  const ahead = (feature: Dated) => releasesBetween(engine, version, feature.since);
  const interfaces = early.filter(isInimitable);
  const beyondTrials = interfaces.filter((feature) => ahead(feature) > TRIAL_RELEASES);
  if (beyondTrials.length >= MANY) return { status: "DECEPTIVE" as const, features: early };
  const isFar = early.some((feature) => isInimitable(feature) && ahead(feature) >= FAR_RELEASES);
  const isFarLanguage = objectsIn(early.filter((feature) => ahead(feature) >= FAR_RELEASES)) >= SOME;
  const isOdd = beyondTrials.length >= SOME || isFar || (interfaces.length > 0 && isFarLanguage);
  return isOdd ? { status: "SUSPICIOUS" as const, features: early } : undefined;
}

const listed = (features: readonly Dated[]) => features.map(({ feature, since }) => `${feature} (${since})`).join(", ");

function findingOf(release: Release, label: string, bits: string): Finding | undefined {
  const tooOld = older(release, bits);
  const found = tooOld ?? newer(release, bits);
  if (found === undefined) return undefined;
  const claimed = { label, value: `Version ${release.version}`, isOdd: true };
  const explanation = tooOld
    ? `The browser lacks what every browser of the version that it names can do: it is older than it says.`
    : `The browser can do what came only after the version that it names: it is newer than it says.`;
  const seen = tooOld
    ? { label: "Expected of that version and missing (since)", value: listed(found.features), isOdd: false }
    : { label: "Present, though newer than that version (since)", value: listed(found.features), isOdd: false };
  return { status: found.status, explanation, compared: [claimed, seen] };
}

/** Dated features against the claimed version: a browser is neither older nor newer than what it can do. */
export const versionFeatures: Rule = {
  id: "version.features",
  reason: "BROWSER_VERSION_MISMATCH",
  source: FEATURE_SOURCE,
  harmlessCauses: ["An extension that changes the user agent", "Experimental features that were switched on"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const page = pageClaim(visit);
    const release = page && releaseOf(page.parsed);
    const bits = groupValue(visit.signals, "features");
    if (release === undefined || bits === undefined || engineOf(visit) !== release.engine) return undefined;
    return findingOf(release, page?.label ?? "", bits);
  },
};
