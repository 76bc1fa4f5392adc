import { canBeSameDevice, tokenContradiction } from "./compatibility";
import { type LinkEvidence, type LinkFact, weigh } from "./evidence";
import { type Population, possibleDevices, sharesOf } from "./population";
import { type DeviceProfile, firstFacts, profileAfter, shownStates } from "./profile";
import { type DeviceTraits, showsNobody } from "./traits";

/** Least probability at which a visit without a valid token is given to a known device. */
export const LINK_CONFIDENCE_MIN = 0.97;

/**
 * Most frequent kind of device that evidence may link at all: by hardware, screen, fonts and versions, leaving out where
 * it is and which language it speaks. What people of one household or office share tells their phones apart the least,
 * so it never outweighs that the devices themselves are all alike.
 */
export const LINKED_KIND_SHARE_MAX = 0.002;

export type KnownDevice = { deviceId: string; profile: DeviceProfile };

export type EvidenceMatch =
  | { outcome: "linked"; deviceId: string; confidence: number; evidence: LinkEvidence[] }
  | {
      outcome: "new";
      /** Of the best candidate, 0 without one: how near the visit came to a known device. */
      confidence: number;
      evidence: LinkEvidence[];
      /** The visit is so particular that a second one just like it, without a token, would be linked to it. */
      isDistinctive: boolean;
    };

export type Match =
  | { outcome: "linked"; by: "token"; deviceId: string }
  | (EvidenceMatch & { by: "evidence" })
  | {
      outcome: "token_rejected";
      contradiction: "system" | "browser" | "version";
      ownerId: string;
      instead: EvidenceMatch;
    };

type Sent = { traits: DeviceTraits; at: Date };

const oddsOf = (evidence: readonly LinkEvidence[], population: Population): number =>
  evidence.reduce((product, { factor }) => product * factor, 1 / possibleDevices(population));

const OF_THE_DEVICE: readonly LinkFact[] = ["hardware", "screen", "fonts", "system version"];

/** The share of devices that look like the candidate as far as it looks like the visit. */
const kindShare = (evidence: readonly LinkEvidence[]): number =>
  evidence.reduce((share, { fact, factor }) => (OF_THE_DEVICE.includes(fact) ? share / Math.max(1, factor) : share), 1);

type Weighed = { evidence: LinkEvidence[]; odds: number };

/** Whether `one` explains the visit so much better than all the `others` together and any stranger. */
const isProven = ({ evidence, odds }: Weighed, others: number): boolean =>
  odds / (1 + odds + others) >= LINK_CONFIDENCE_MIN && kindShare(evidence) <= LINKED_KIND_SHARE_MAX;

/**
 * Looks for the device of a visit by what its browser shows. One candidate has to explain the visit better than all
 * other candidates and all devices that nobody has seen yet, taken together: being the only one like it is no proof.
 */
export function matchEvidence(
  { traits, at }: Sent,
  candidates: readonly KnownDevice[],
  population: Population,
): EvidenceMatch {
  const nobody: EvidenceMatch = { outcome: "new", confidence: 0, evidence: [], isDistinctive: false };
  if (showsNobody(traits)) return nobody;
  const shares = sharesOf(traits, population);
  const weighOdds = (profile: DeviceProfile): Weighed => {
    const evidence = weigh(traits, profile, shares, at);
    return { evidence, odds: oddsOf(evidence, population) };
  };
  const byOdds = (one: Weighed, other: Weighed) => other.odds - one.odds;
  const weighed = candidates
    .flatMap(({ deviceId, profile }) =>
      shownStates(profile)
        .filter(({ latest }) => canBeSameDevice(traits, latest))
        .map((state) => ({ deviceId, ...weighOdds(state) }))
        .sort(byOdds)
        .slice(0, 1),
    )
    .sort(byOdds);
  const sum = weighed.reduce((total, { odds }) => total + odds, 0);
  const best = weighed[0];
  const confidence = best === undefined ? 0 : best.odds / (1 + sum);
  if (best !== undefined && isProven(best, sum - best.odds))
    return { outcome: "linked", deviceId: best.deviceId, confidence, evidence: best.evidence };
  const isDistinctive = isProven(weighOdds(profileAfter(undefined, traits, at)), sum);
  return { outcome: "new", confidence, evidence: best?.evidence ?? [], isDistinctive };
}

/**
 * Decides whose visit this is. A valid token decides alone unless the browser that sent it contradicts the one that it
 * was given to; then the token was copied, and only the evidence counts.
 */
export function matchDevice(
  sent: Sent & { tokenOwner: KnownDevice | undefined },
  candidates: readonly KnownDevice[],
  population: Population,
): Match {
  const { tokenOwner } = sent;
  if (tokenOwner === undefined) return { by: "evidence", ...matchEvidence(sent, candidates, population) };
  const contradiction = tokenContradiction(sent.traits, firstFacts(tokenOwner.profile));
  if (contradiction === undefined) return { outcome: "linked", by: "token", deviceId: tokenOwner.deviceId };
  const instead = matchEvidence(sent, candidates, population);
  return { outcome: "token_rejected", contradiction, ownerId: tokenOwner.deviceId, instead };
}
