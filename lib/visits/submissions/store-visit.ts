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
  tokenUseValues,
} from "@/lib/visits/visit-store";
import { storeTogether } from "./store-together";
import { tokenHistory } from "./token-history";

/** Facts from earlier visits that are evaluated with a new one. */
export type SeenBefore = { repetition: Repetition; token: KnownToken | undefined };

type NewEvent = {
  isTrial: boolean;
  now: Date;
  device: DeviceVisit & { payload: Payload };
  /** What was known of the visit's token when it was matched. */
  token: KnownToken | undefined;
  /** Builds the visit and its Report from the facts of earlier visits. */
  visitOf: (seen: SeenBefore) => NewVisit;
};

/** Reads the facts of earlier visits while the visit's device is locked. */
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
 * Uses up the challenge, appends the visit to its device and stores it with its Report, atomically. One statement is
 * enough unless another visit of the device comes in between, the payload repeats an earlier visit, or the submission
 * counts towards a trial. In these cases a transaction locks the device and evaluates the visit again.
 *
 * @returns false if the challenge was already used
 * @throws AppError `environment_disabled`, `request_limit_reached`
 */
export async function storeVisit(db: Db, event: NewEvent): Promise<boolean> {
  const { isTrial, now, device, token, visitOf } = event;
  const visit = visitOf({ repetition: {}, token });
  if (!isTrial) {
    const outcome = await storeTogether(db, { device, visit });
    if (outcome !== "staleSnapshot") return outcome === "stored";
  }
  return db.transaction(async (tx) => {
    const deviceId = await appendVisit(tx, device);
    if (deviceId === undefined) return false;
    if (isTrial) await useSubmission(tx, device.workspaceId);
    await storeAppended(tx, deviceId, visitOf(await readSeenBefore(tx, event, visit.address)), now);
    return true;
  });
}
