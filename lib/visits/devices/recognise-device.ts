import { newId } from "@/lib/contract/ids";
import { sharing } from "@/lib/visits/network";
import { type Evidence, type Identity, privacyProfile, type Visit } from "@/lib/visits/risk";
import { changedAppearance } from "./domain/appearance";
import { copiedTokenFinding, swappedHardwareFinding } from "./domain/copied-token";
import { changedHardware } from "./domain/hardware";
import { type EvidenceMatch, type KnownDevice, type Match, matchDevice, matchEvidence } from "./domain/match-device";
import { isStoredProfile, profileAfter, tokenStates } from "./domain/profile";
import { type DeviceTraits, hardwareText } from "./domain/traits";
import { placeKeys } from "./keys";
import { observeTraits } from "./observe-traits";
import { type MatchFacts, type MatchQuery, matchQuery } from "./match-facts";
import type { IdentityRecord, Recognition } from "./domain/recognition";
import { readDeviceToken, replaceDeviceToken } from "./token";

type Sent = {
  workspaceId: string;
  token: string | undefined;
  visit: Visit;
  identity: Identity;
  address: string | undefined;
  /** Nonce of the visit's challenge. */
  nonce: string;
};

/** What a visit shows of its device, and the query that finds the device. */
export type ObservedVisit = {
  workspaceId: string;
  traits: DeviceTraits;
  tokenId: string | undefined;
  nonce: string;
  /** Undefined if the network is unknown or shared by many strangers. */
  place: { network: string; model: string } | undefined;
  query: MatchQuery;
};

/** What the evidence alone would have decided for a visit whose token is known. Undefined if it was not evaluated. */
function shadowOf(match: Match, alone: EvidenceMatch | undefined): Recognition["shadow"] {
  if (alone === undefined || match.outcome !== "linked") return undefined;
  if (alone.outcome === "new") return "missed";
  return alone.deviceId === match.deviceId ? "agreed" : "wrong";
}

/** The result of the evidence, if it was evaluated. */
function foundBy(match: Match): EvidenceMatch | undefined {
  if (match.outcome === "token_rejected") return match.instead;
  return match.by === "evidence" ? match : undefined;
}

function recordOf(match: Match, found: EvidenceMatch | undefined): IdentityRecord {
  if (found === undefined) return { by: "token" };
  const { outcome, confidence, evidence } = found;
  return {
    by: "evidence",
    outcome,
    confidence,
    evidence,
    ...(found.outcome === "new" && { because: found.because }),
    ...(match.outcome === "token_rejected"
      ? { copiedToken: { contradiction: match.contradiction, deviceId: match.ownerId } }
      : {}),
  };
}

/** The profile after the visit of the device that it belongs to. Undefined if it is already stored. */
function profileToStore(
  { traits, now }: { traits: DeviceTraits; now: Date },
  facts: MatchFacts,
  deviceId: string | undefined,
) {
  const known = [facts.tokenOwner, ...(facts.neighbourhood?.devices ?? [])].find(
    (device) => device?.deviceId === deviceId,
  )?.profile;
  const profile = profileAfter(known, traits, now);
  return isStoredProfile(profile, known) ? undefined : profile;
}

/** The findings about a token that was copied or whose hardware changed. */
function findingsOf(match: Match, traits: DeviceTraits, owner: KnownDevice | undefined): Evidence[] {
  if (owner === undefined) return [];
  if (match.outcome === "token_rejected") {
    const { first, habits } = tokenStates(owner.profile);
    const parts = changedHardware(traits, first);
    const seen = first.shown === undefined ? [] : changedAppearance(traits, first.shown, habits);
    return [copiedTokenFinding(match.contradiction, traits, first, { parts, seen })];
  }
  if (match.by !== "token" || match.swapped.length === 0) return [];
  return [swappedHardwareFinding(match.swapped, traits, owner.profile.latest)];
}

/** Derives what a visit shows, without the database. */
export function observeVisit({ workspaceId, token, visit, identity, address, nonce }: Sent): ObservedVisit {
  const traits = observeTraits(visit, { identity, profile: privacyProfile(visit) });
  const tokenId = readDeviceToken(workspaceId, token);
  const isShared = address === undefined || sharing(address) === "shared";
  const place = isShared ? undefined : placeKeys(workspaceId, address, hardwareText(traits));
  const query = matchQuery({ workspaceId, tokenId, place, draw: Math.random() });
  return { workspaceId, traits, tokenId, nonce, place, query };
}

/**
 * Decides which device a visit belongs to, by its token or else by what its browser shows. Changes nothing.
 * `recognition` is for the visit store, `record` for the Console, `findings` for the verdict, and `newToken` replaces a
 * refused token at the client. `row` is the result of the visit's query.
 */
export function recogniseDevice(
  { workspaceId, traits, tokenId, nonce, place, query }: ObservedVisit,
  now: Date,
  row: Readonly<Record<string, unknown>>,
): {
  recognition: Recognition;
  record: IdentityRecord;
  findings: Evidence[];
  newToken: string | undefined;
} {
  const facts = query.factsOf(row);
  const { neighbourhood, population } = facts;
  const tokenOwner = facts.tokenOwner && {
    deviceId: facts.tokenOwner.deviceId,
    profile: facts.tokenOwner.profile ?? profileAfter(undefined, traits, now),
  };
  const match = matchDevice({ traits, at: now, tokenOwner }, neighbourhood, population);
  const replaced = match.outcome === "token_rejected" ? replaceDeviceToken(workspaceId, nonce) : undefined;
  const isByToken = match.outcome === "linked" && match.by === "token";
  const alone =
    isByToken && facts.isSearched ? matchEvidence({ traits, at: now }, neighbourhood, population) : undefined;
  const found = foundBy(match);
  const linkedDeviceId = found?.outcome === "linked" ? found.deviceId : undefined;
  return {
    recognition: {
      tokenId: replaced?.tokenId ?? tokenId,
      isTokenKnown: isByToken,
      linkedDeviceId,
      newDeviceId: newId("device"),
      profile: profileToStore({ traits, now }, facts, isByToken ? match.deviceId : linkedDeviceId),
      place: place && { stratum: found?.stratum, ...place },
      shadow: shadowOf(match, alone),
    },
    record: recordOf(match, found),
    findings: findingsOf(match, traits, tokenOwner),
    newToken: replaced?.token,
  };
}
