import type { Db } from "@/db/client";
import { newId } from "@/lib/ids";
import { type Evidence, type Identity, privacyProfile, type Visit } from "@/lib/risk";
import { claimKeyOf, keysOf, networkDigest } from "./blocking";
import { copiedTokenFinding } from "./domain/copied-token";
import { type EvidenceMatch, type Match, matchDevice, matchEvidence } from "./domain/match-device";
import { firstFacts, isForeign, isStoredProfile, profileAfter } from "./domain/profile";
import type { DeviceTraits } from "./domain/traits";
import { observeTraits } from "./observe-traits";
import { findMatchFacts, type MatchFacts, type MatchReading, matchReading } from "./queries-matching";
import type { IdentityRecord, Recognition } from "./recognition";
import { readDeviceToken, replaceDeviceToken } from "./token";

type Sent = {
  workspaceId: string;
  token: string | undefined;
  visit: Visit;
  identity: Identity;
  address: string | undefined;
  /** Of the visit's challenge. */
  nonce: string;
};

/** What a visit shows of its device, and what is to be read of the others to find it. */
export type ObservedVisit = {
  workspaceId: string;
  traits: DeviceTraits;
  tokenId: string | undefined;
  nonce: string;
  /** Keys under which the device is filed. */
  filing: string[];
  reading: MatchReading;
};

/** What the evidence alone says of a visit whose token is known; nothing when it was not asked. */
function shadowOf(match: Match, alone: EvidenceMatch | undefined): Recognition["shadow"] {
  if (alone === undefined || match.outcome !== "linked") return undefined;
  if (alone.outcome === "new") return "missed";
  return alone.deviceId === match.deviceId ? "agreed" : "wrong";
}

/** What the evidence said, where it was asked. */
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
    ...(match.outcome === "token_rejected"
      ? { copiedToken: { contradiction: match.contradiction, deviceId: match.ownerId } }
      : {}),
  };
}

/** What the visit leaves behind on the device that it goes to, as far as that is not stored already. */
function filingOf(
  { traits, now, keys }: { traits: DeviceTraits; now: Date; keys: string[] },
  facts: MatchFacts,
  deviceId: string | undefined,
) {
  const known = [facts.tokenOwner, ...facts.candidates].find((device) => device?.deviceId === deviceId)?.profile;
  const profile = profileAfter(known, traits, now);
  if (isStoredProfile(profile, known)) return { profile: undefined, keys: [] };
  return { profile, keys: known && isForeign(known, traits, now) ? [] : keys };
}

/** Looks at a visit before the database is asked. */
export function observeVisit({ workspaceId, token, visit, identity, address, nonce }: Sent): ObservedVisit {
  const network = networkDigest(workspaceId, address);
  const traits = observeTraits(visit, { identity, profile: privacyProfile(visit), network });
  const tokenId = readDeviceToken(workspaceId, token);
  const { filing, search } = keysOf(workspaceId, traits);
  const reading = matchReading({ workspaceId, tokenId, keys: search, draw: Math.random() });
  return { workspaceId, traits, tokenId, nonce, filing, reading };
}

/**
 * Decides which device a visit belongs to: by its token, else by what its browser shows. Nothing is changed; the
 * recognition is for `recordDeviceVisit`, the record for the Console, the findings for the verdict, and the new token, in
 * place of one that is refused, for the client. `row` is what the visit's reading answered, where it was read before.
 */
export async function recogniseDevice(
  db: Db,
  { workspaceId, traits, tokenId, nonce, filing, reading }: ObservedVisit,
  now: Date,
  row?: Readonly<Record<string, unknown>>,
): Promise<{
  recognition: Recognition;
  record: IdentityRecord;
  findings: Evidence[];
  newToken: string | undefined;
}> {
  const facts = row ? reading.factsOf(row) : await findMatchFacts(db, reading);
  const { candidates, population } = facts;
  const tokenOwner = facts.tokenOwner && {
    deviceId: facts.tokenOwner.deviceId,
    profile: facts.tokenOwner.profile ?? profileAfter(undefined, traits, now),
  };
  const match = matchDevice({ traits, at: now, tokenOwner }, candidates, population);
  const replaced = match.outcome === "token_rejected" ? replaceDeviceToken(workspaceId, nonce) : undefined;
  const isByToken = match.outcome === "linked" && match.by === "token";
  const alone = isByToken && facts.isSearched ? matchEvidence({ traits, at: now }, candidates, population) : undefined;
  const found = foundBy(match);
  const linkedDeviceId = found?.outcome === "linked" ? found.deviceId : undefined;
  const isClaimed = found?.outcome === "new" && found.isDistinctive;
  return {
    recognition: {
      tokenId: replaced?.tokenId ?? tokenId,
      isTokenKnown: isByToken,
      linkedDeviceId,
      newDeviceId: newId("device"),
      claimKey: isClaimed ? claimKeyOf(workspaceId, traits) : undefined,
      ...filingOf({ traits, now, keys: filing }, facts, isByToken ? match.deviceId : linkedDeviceId),
      shadow: shadowOf(match, alone),
    },
    record: recordOf(match, found),
    findings:
      match.outcome === "token_rejected" && tokenOwner
        ? [copiedTokenFinding(match.contradiction, traits, firstFacts(tokenOwner.profile))]
        : [],
    newToken: replaced?.token,
  };
}
