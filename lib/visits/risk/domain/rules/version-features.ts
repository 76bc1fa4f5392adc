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
import type { Finding } from "../evidence";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

const LIMITS = {
  /** Trials and flags make an interface available a few releases early. */
  trialReleases: 2,
  /** From this distance on, trials, patched builds and late updates no longer explain the difference. */
  farReleases: 6,
  /** Number of features that distinguish a wrong version from a trial, a flag or a patched build. */
  some: 2,
  many: 3,
};
type Numbers = typeof LIMITS;

const objectsIn = (features: readonly Dated[]) => new Set(features.map(objectOf)).size;

/** Language features that are missing, which means that the browser is older than claimed. */
function older({ engine, version }: Release, bits: string, { farReleases, some, many }: Numbers) {
  const missing = missingFeatures(bits, engine, version);
  const far = missing.filter(({ since }) => releasesBetween(engine, since, version) >= farReleases);
  if (objectsIn(missing) >= many) return { status: "DECEPTIVE" as const, features: missing };
  return objectsIn(far) >= some ? { status: "SUSPICIOUS" as const, features: missing } : undefined;
}

/**
 * Interfaces that were introduced later, which means that the browser is newer than claimed. Language features may come
 * from polyfills, so they count only together with an interface that cannot.
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
    ? `The browser lacks features that every browser of its claimed version has, so it is older than it claims.`
    : `The browser has features that came after its claimed version, so it is newer than it claims.`;
  const seen = tooOld
    ? { label: "Expected in that version but missing (since)", value: listed(found.features), isOdd: false }
    : { label: "Present although newer than that version (since)", value: listed(found.features), isOdd: false };
  return { status: found.status, explanation, compared: [claimed, seen] };
}

/** Dates of the available features compared with the claimed version. */
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
