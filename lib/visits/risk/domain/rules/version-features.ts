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

const LIMITS = {
  /** Trials and flags bring an interface to testers a few releases early. */
  trialReleases: 2,
  /** From so many releases on a claim is no longer explained by a trial, a patched build or a late update. */
  farReleases: 6,
  /** How many features tell a wrong version from a trial, a flag or a patched build. */
  some: 2,
  many: 3,
};
type Numbers = typeof LIMITS;

const objectsIn = (features: readonly Dated[]) => new Set(features.map(objectOf)).size;

/** Parts of the language that are missing: a browser older than it says. */
function older({ engine, version }: Release, bits: string, { farReleases, some, many }: Numbers) {
  const missing = missingFeatures(bits, engine, version);
  const far = missing.filter(({ since }) => releasesBetween(engine, since, version) >= farReleases);
  if (objectsIn(missing) >= many) return { status: "DECEPTIVE" as const, features: missing };
  return objectsIn(far) >= some ? { status: "SUSPICIOUS" as const, features: missing } : undefined;
}

/**
 * Interfaces that came later: a browser newer than it says. Parts of the language, which a library may have added, count
 * together with an interface, which it cannot have.
 */
function newer({ engine, version }: Release, bits: string, numbers: Numbers) {
  const { trialReleases, farReleases, some, many } = numbers;
  const early = earlyFeatures(bits, engine, version);
  const ahead = (feature: Dated) => releasesBetween(engine, version, feature.since);
  const interfaces = early.filter(isInimitable);
  const beyondTrials = interfaces.filter((feature) => ahead(feature) > trialReleases);
  if (beyondTrials.length >= many) return { status: "DECEPTIVE" as const, features: early };
  const isFar = early.some((feature) => isInimitable(feature) && ahead(feature) >= farReleases);
  const isFarLanguage = objectsIn(early.filter((feature) => ahead(feature) >= farReleases)) >= some;
  const isOdd = beyondTrials.length >= some || isFar || (interfaces.length > 0 && isFarLanguage);
  return isOdd ? { status: "SUSPICIOUS" as const, features: early } : undefined;
}

const listed = (features: readonly Dated[]) => features.map(({ feature, since }) => `${feature} (${since})`).join(", ");

function findingOf(release: Release, label: string, bits: string, numbers: Numbers): Finding | undefined {
  const tooOld = older(release, bits, numbers);
  const found = tooOld ?? newer(release, bits, numbers);
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
  limits: LIMITS,
  check(visit, _identity, _profile, limits) {
    const page = pageClaim(visit);
    const release = page && releaseOf(page.parsed);
    const bits = groupValue(visit.signals, "features");
    if (release === undefined || bits === undefined || engineOf(visit) !== release.engine) return undefined;
    return findingOf(release, page?.label ?? "", bits, { ...LIMITS, ...limits });
  },
};
