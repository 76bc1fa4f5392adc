import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { useSubmission } from "@/lib/trials";
import type { KnownToken } from "@/lib/visits/devices";
import type { Payload, Repetition } from "@/lib/visits/repeats";
import {
  appendVisit,
  type DeviceVisit,
  findRepetition,
  findTokenFacts,
  type NewVisit,
  payloadValues,
  storeAppended,
  storeInOneStatement,
  tokenUseValues,
} from "@/lib/visits/visit-store";
import { tokenHistory } from "./token-history";

/** What was stored before a visit and is evaluated with it. */
export type SeenBefore = { repetition: Repetition; token: KnownToken | undefined };

type NewEvent = {
  isTrial: boolean;
  now: Date;
  device: DeviceVisit & { payload: Payload };
  /** What was known of the visit's token when it was matched. */
  token: KnownToken | undefined;
  /** The visit and its Report, by what was seen before. */
  visitOf: (seen: SeenBefore) => NewVisit;
};

/** What is known of a visit while its device is locked. */
async function readSeenBefore(tx: Db, { device, now }: NewEvent, address: string | undefined): Promise<SeenBefore> {
  const { workspaceId, challenge, recognition, payload } = device;
  const token = { workspace: idToUuid(workspaceId), token: recognition.tokenId ?? null };
  const [repetition, columns] = await Promise.all([
    findRepetition(tx, { workspaceId, eventId: challenge.eventId, payload, now }),
    findTokenFacts(tx, token, tokenUseValues(address), payloadValues(payload, now)),
  ]);
  return { repetition, token: tokenHistory(workspaceId, columns) };
}

/**
 * Uses the challenge up, appends the visit to its device and stores it with its Report: all of it or nothing. One
 * statement does it, unless another visit of the device comes in between, what was sent repeats an earlier visit, or a
 * trial counts the submission with it: then the visit is evaluated once more, by what was seen until then.
 *
 * @returns false when the challenge was used before
 * @throws AppError environment_disabled, request_limit_reached
 */
export async function storeVisit(db: Db, event: NewEvent): Promise<boolean> {
  const { isTrial, now, device, token, visitOf } = event;
  const visit = visitOf({ repetition: {}, token });
  const place = { address: visit.address, countryCode: visit.countryCode, now };
  if (!isTrial) {
    const outcome = await storeInOneStatement(db, device, visit, place);
    if (outcome !== "staleSnapshot") return outcome === "stored";
  }
  return db.transaction(async (tx) => {
    const deviceId = await appendVisit(tx, device, now);
    if (deviceId === undefined) return false;
    if (isTrial) await useSubmission(tx, device.workspaceId);
    await storeAppended(tx, deviceId, visitOf(await readSeenBefore(tx, event, visit.address)), place);
    return true;
  });
}
