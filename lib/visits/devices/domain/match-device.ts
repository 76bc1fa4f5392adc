import { canBeSameDevice, swappedHardware, type TokenContradiction, tokenContradiction } from "./compatibility";
import { type LinkEvidence, weigh } from "./evidence";
import type { HardwareFact } from "./hardware";
import {
  type Candidate,
  candidateIn,
  type NoCandidate,
  othersIn,
  type TokenObservation,
  MAX_OBSERVATIONS,
} from "./network-observations";
import { modelShare, type Population } from "./population";
import { dayOf, type DeviceProfile, knownMachines, shownStates, tokenStates } from "./profile";
import { controlOf, isClosed, type Stratum, stratumName, stratumOf } from "./strata";
import { type DeviceTraits, isHandheld, hasNoDistinctiveTraits } from "./traits";

/** Minimum probability for linking a visit without a valid token to a known device. */
export const LINK_CONFIDENCE_MIN = 0.97;

/** Highest reported confidence: machines that look the same can always be different ones. */
const MAX_CONFIDENCE = 0.99;

/** A machine known for fewer days could be one of several that were bought together. */
const CANDIDATE_AGE_MIN_DAYS = 2;

export type KnownDevice = { deviceId: string; profile: DeviceProfile };

/**
 * Tokens and devices of the network that a visit came from. Undefined if the network is unknown or shared by many
 * strangers.
 */
export type Neighbourhood = { observations: readonly TokenObservation[]; devices: readonly KnownDevice[] } | undefined;

export type NoLink =
  | "shows_nobody"
  | "shared_network"
  | "crowded_network"
  | NoCandidate
  | "other_machine"
  | "known_too_short"
  | "closed"
  | "doubtful";

export type EvidenceMatch =
  | { outcome: "linked"; deviceId: string; confidence: number; evidence: LinkEvidence[]; stratum: string }
  | {
      outcome: "new";
      because: NoLink;
      /** Confidence of the candidate, 0 without one: how close the visit came to a known device. */
      confidence: number;
      evidence: LinkEvidence[];
      /** Set if a network was evaluated, whether or not links are made in this stratum; counted by the link control. */
      stratum?: string;
    };

export type Match =
  | { outcome: "linked"; by: "token"; deviceId: string; swapped: HardwareFact[] }
  | (EvidenceMatch & { by: "evidence" })
  | {
      outcome: "token_rejected";
      contradiction: TokenContradiction;
      ownerId: string;
      instead: EvidenceMatch;
    };

type Sent = { traits: DeviceTraits; at: Date };

const unlinked = (because: NoLink, rest: Partial<Extract<EvidenceMatch, { outcome: "new" }>> = {}): EvidenceMatch => ({
  outcome: "new",
  because,
  confidence: 0,
  evidence: [],
  ...rest,
});

/**
 * Weighs the visit against each state of the candidate and returns the best. Undefined if no state can have sent it.
 */
function weighBest(
  { traits, at }: Sent,
  profile: DeviceProfile,
): { evidence: LinkEvidence[]; odds: number } | undefined {
  return shownStates(profile)
    .filter(({ latest }) => canBeSameDevice(traits, latest))
    .map((state) => weigh(traits, state, at))
    .map((evidence) => ({ evidence, odds: evidence.reduce((product, { factor }) => product * factor, 1) }))
    .sort((one, other) => other.odds - one.odds)[0];
}

function evaluateCandidate(
  sent: Sent,
  candidate: Candidate,
  stratum: Stratum,
  device: KnownDevice,
  population: Population,
) {
  const best = weighBest(sent, device.profile);
  if (best === undefined)
    return unlinked("other_machine", { stratum: stratumName({ ...stratum, age: undefined, isOtherMachine: true }) });
  const control = controlOf(stratum, population.tallies);
  const odds = control.odds * best.odds;
  const confidence = Math.min(MAX_CONFIDENCE, odds / (1 + odds));
  const found = { confidence, evidence: best.evidence, stratum: stratumName(stratum) };
  if (candidate.ageDays < CANDIDATE_AGE_MIN_DAYS) return unlinked("known_too_short", found);
  if (isClosed(control)) return unlinked("closed", found);
  if (confidence < LINK_CONFIDENCE_MIN) return unlinked("doubtful", found);
  return { outcome: "linked" as const, deviceId: device.deviceId, ...found };
}

/**
 * Looks for the device of a visit without a token: the only machine of its model in the visit's network. Mass-produced
 * hardware identifies a model, never a device. A link therefore needs a network in which tokens have shown no second
 * machine of that model, and a stratum in which links have proved right.
 */
export function matchEvidence(sent: Sent, neighbourhood: Neighbourhood, population: Population): EvidenceMatch {
  const { traits, at } = sent;
  if (hasNoDistinctiveTraits(traits)) return unlinked("shows_nobody");
  if (neighbourhood === undefined) return unlinked("shared_network");
  const { observations, devices } = neighbourhood;
  if (observations.length > MAX_OBSERVATIONS) return unlinked("crowded_network");
  const candidate = candidateIn(observations, dayOf(at));
  const place = {
    isHandheld: isHandheld(traits),
    others: othersIn(observations, dayOf(at)),
    modelShare: modelShare(traits, population),
  };
  const unknownStratum = stratumName(stratumOf({ ageDays: undefined, ...place }));
  if (typeof candidate === "string") return unlinked(candidate, { stratum: unknownStratum });
  const device = devices.find(({ deviceId }) => deviceId === candidate.deviceId);
  if (device === undefined) return unlinked("unknown_model", { stratum: unknownStratum });
  const stratum = stratumOf({ ageDays: candidate.ageDays, ...place });
  return evaluateCandidate(sent, candidate, stratum, device, population);
}

/**
 * Decides which device a visit belongs to. A valid token decides alone, unless the browser that sent it contradicts the
 * one it was issued to. In that case the token was copied and only the evidence counts.
 */
export function matchDevice(
  sent: Sent & { tokenOwner: KnownDevice | undefined },
  neighbourhood: Neighbourhood,
  population: Population,
): Match {
  const { tokenOwner } = sent;
  if (tokenOwner === undefined) return { by: "evidence", ...matchEvidence(sent, neighbourhood, population) };
  const { profile } = tokenOwner;
  const contradiction = tokenContradiction(sent.traits, tokenStates(profile));
  if (contradiction === undefined) {
    const swapped = swappedHardware(sent.traits, knownMachines(profile, dayOf(sent.at)));
    return { outcome: "linked", by: "token", deviceId: tokenOwner.deviceId, swapped };
  }
  const instead = matchEvidence(sent, neighbourhood, population);
  return { outcome: "token_rejected", contradiction, ownerId: tokenOwner.deviceId, instead };
}
