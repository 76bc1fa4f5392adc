import { pageClaim } from "../claims";
import { EMBEDDED_FAMILIES, type EngineFamily } from "../families";
import { earlyFeatures, missingFeatures } from "../feature-versions";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { majorOf, type ParsedUserAgent } from "../user-agent";
import { groupValue } from "../visit";

/** How many features tell a wrong version from a trial, a flag or a patched build. */
const SOME = 2;
const MANY = 3;

type Release = { engine: Exclude<EngineFamily, "unknown">; major: number };

/** The release of its engine that a user agent claims; undefined where its number says nothing about the engine. */
function releaseOf(claimed: ParsedUserAgent): Release | undefined {
  const { engine, family } = claimed;
  const major = engine === "blink" ? claimed.chromiumMajorVersion : majorOf(claimed.version);
  const isTold =
    engine === "blink"
      ? !EMBEDDED_FAMILIES.includes(family)
      : (engine === "gecko" && family === "firefox") || (engine === "webkit" && family === "safari");
  return engine === "unknown" || major === undefined || !isTold ? undefined : { engine, major };
}

/** Dated features against the claimed version: a browser is neither older nor newer than what it can do. */
export const versionFeatures: Rule = {
  id: "version.features",
  reason: "BROWSER_VERSION_MISMATCH",
  source: "MDN browser-compat-data 8.1.9",
  harmlessCauses: ["An extension that changes the user agent", "Experimental features that were switched on"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const page = pageClaim(visit);
    const release = page && releaseOf(page.parsed);
    const bits = groupValue(visit.signals, "features");
    if (release === undefined || bits === undefined || engineOf(visit) !== release.engine) return undefined;
    const { engine, major } = release;
    const missing = missingFeatures(bits, engine, major);
    const early = earlyFeatures(bits, engine, major);
    if (missing.length < MANY && early.length < SOME) return undefined;
    return {
      status: missing.length >= MANY || early.length >= MANY ? "DECEPTIVE" : "SUSPICIOUS",
      explanation: "What the browser can do belongs to another version than the one it names.",
      compared: [
        { label: page?.label ?? "", value: `Version ${major}`, isOdd: true },
        ...missing.map(({ feature, sinceMajor }) => ({
          label: `Missing, though there since ${sinceMajor}`,
          value: feature,
          isOdd: false,
        })),
        ...early.map(({ feature, sinceMajor }) => ({
          label: `There, though new in ${sinceMajor}`,
          value: feature,
          isOdd: false,
        })),
      ],
    };
  },
};
