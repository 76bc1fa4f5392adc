import type { Db } from "@/db/client";
import { createEventStore, type KnownToken, tokenUseValues } from "@/lib/visits/devices";
import { idToUuid } from "@/lib/contract/ids";
import {
  findRepetition,
  IS_UNSEEN,
  type Payload,
  type Repetition,
  SIGHTED,
  sightingValues,
} from "@/lib/visits/repeats";
import { useSubmission } from "@/lib/trials";
import { findTokenFacts, INSERT_VISIT, type NewVisit, visitValues } from "./queries";
import { tokenHistory } from "./token-history";

const events = createEventStore(INSERT_VISIT, { part: SIGHTED, isExpected: IS_UNSEEN });

type DeviceVisit = Parameters<typeof events.recordEvent>[1];

/** What the verdict on a visit rests on besides itself. */
export type SeenBefore = { repetition: Repetition; token: KnownToken | undefined };

type NewEvent = {
  isTrial: boolean;
  now: Date;
  device: DeviceVisit;
  payload: Payload;
  /** What was known of the visit's token when it was matched. */
  token: KnownToken | undefined;
  /** The visit and its Report, by what was seen before. */
  visitOf: (seen: SeenBefore) => NewVisit;
};

/** What is known of a visit while its device waits for it. */
async function lookBack(tx: Db, { device, payload, now }: NewEvent, address: string | undefined): Promise<SeenBefore> {
  const { workspaceId, challenge, recognition } = device;
  const sighting = sightingValues(payload, now);
  const token = { workspace: idToUuid(workspaceId), token: recognition.tokenId ?? null, ...tokenUseValues(address) };
  const [repetition, columns] = await Promise.all([
    findRepetition(tx, { workspaceId, eventId: challenge.eventId }, sighting),
    findTokenFacts(tx, token, sighting),
  ]);
  return { repetition, token: tokenHistory(workspaceId, columns) };
}

/**
 * Uses the challenge up, appends the visit to its device and stores it with its Report: all of it or nothing. One
 * statement does it, unless another visit of the device comes in between, what was sent repeats an earlier visit, or a
 * trial counts the submission with it: then the visit is judged once more, by what was seen until then.
 *
 * @returns false when the challenge was used before
 * @throws AppError environment_disabled, request_limit_reached
 */
export async function storeVisit(db: Db, event: NewEvent): Promise<boolean> {
  const { isTrial, now, device, payload, token, visitOf } = event;
  const { workspaceId } = device;
  const [visit, sighting] = [visitOf({ repetition: {}, token }), sightingValues(payload, now)];
  const place = { address: visit.address, countryCode: visit.countryCode, now };
  if (!isTrial) {
    const outcome = await events.recordEvent(db, device, place, { ...sighting, ...visitValues(visit) });
    if (outcome !== "staleSnapshot") return outcome === "recorded";
  }
  return db.transaction(async (tx) => {
    const deviceId = await events.appendVisit(tx, device, sighting);
    if (deviceId === undefined) return false;
    if (isTrial) await useSubmission(tx, workspaceId);
    const values = visitValues(visitOf(await lookBack(tx, event, visit.address)));
    await events.storeEvent(tx, { workspaceId, deviceId }, place, values);
    return true;
  });
}
