import type { Db } from "@/db/client";
import { newId } from "@/lib/ids";
import { type Evidence, type Identity, privacyProfile, type Visit } from "@/lib/risk";
import { claimKeyOf, keysOf, networkDigest } from "./blocking";
import { copiedTokenFinding } from "./domain/copied-token";
import { type EvidenceMatch, type Match, matchDevice, matchEvidence } from "./domain/match-device";
import { isStoredProfile, profileAfter } from "./domain/profile";
import type { DeviceTraits } from "./domain/traits";
import { observeTraits } from "./observe-traits";
import { findMatchFacts, type MatchFacts } from "./queries-matching";
import type { IdentityRecord, Recognition } from "./recognition";
import { readDeviceToken } from "./token";

type Input = {
  workspaceId: string;
  token: string | undefined;
  visit: Visit;
  identity: Identity;
  address: string | undefined;
  now: Date;
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
  return isStoredProfile(profile, known) ? { profile: undefined, keys: [] } : { profile, keys };
}

/**
 * Decides which device a visit belongs to: by its token, else by what its browser shows. Nothing is changed; the
 * recognition is for `recordDeviceVisit`, the record for the Console, the findings for the verdict.
 */
export async function recogniseDevice(
  db: Db,
  input: Input,
): Promise<{ recognition: Recognition; record: IdentityRecord; findings: Evidence[] }> {
  const { workspaceId, visit, identity, now } = input;
  const network = networkDigest(workspaceId, input.address);
  const traits = observeTraits(visit, { identity, profile: privacyProfile(visit), network });
  const tokenId = readDeviceToken(workspaceId, input.token);
  const { filing, search } = keysOf(workspaceId, traits);
  const facts = await findMatchFacts(db, { workspaceId, tokenId, keys: search, draw: Math.random() });
  const { candidates, population } = facts;
  const tokenOwner = facts.tokenOwner && {
    deviceId: facts.tokenOwner.deviceId,
    profile: facts.tokenOwner.profile ?? profileAfter(undefined, traits, now),
  };
  const match = matchDevice({ traits, at: now, tokenOwner }, candidates, population);
  const isByToken = match.outcome === "linked" && match.by === "token";
  const alone = isByToken && facts.isSearched ? matchEvidence({ traits, at: now }, candidates, population) : undefined;
  const found = foundBy(match);
  const linkedDeviceId = found?.outcome === "linked" ? found.deviceId : undefined;
  const isClaimed = found?.outcome === "new" && found.isDistinctive;
  return {
    recognition: {
      tokenId: match.outcome === "token_rejected" ? undefined : tokenId,
      linkedDeviceId,
      newDeviceId: newId("device"),
      claimKey: isClaimed ? claimKeyOf(workspaceId, traits) : undefined,
      ...filingOf({ traits, now, keys: filing }, facts, isByToken ? match.deviceId : linkedDeviceId),
      shadow: shadowOf(match, alone),
    },
    record: recordOf(match, found),
    findings:
      match.outcome === "token_rejected" && tokenOwner
        ? [copiedTokenFinding(match.contradiction, traits, tokenOwner.profile.latest)]
        : [],
  };
}
