import type { Db } from "@/db/client";
import { isOfOneRow } from "@/db/failures";
import { createBatcher } from "@/lib/platform/batcher";
import { MAX_VISITS_TOGETHER, storeVisits, type VisitToStore } from "@/lib/visits/visit-store";

type Outcome = "stored" | "used" | "staleSnapshot";

async function storeBatch(
  db: Db,
  visits: readonly [VisitToStore, ...VisitToStore[]],
): Promise<readonly Outcome[] | "retryIndividually"> {
  const isAlone = visits.length === 1;
  try {
    const outcomes = await storeVisits(db, visits, new Date());
    if (outcomes !== "staleSnapshot") return outcomes;
    return isAlone ? [outcomes] : "retryIndividually";
  } catch (error) {
    if (isAlone || !isOfOneRow(error)) throw error;
    return "retryIndividually";
  }
}

const createStore = (db: Db) =>
  createBatcher<VisitToStore, Outcome>({
    maxItems: MAX_VISITS_TOGETHER,
    groupOf: ({ device }) => device.workspaceId,
    keysOf: ({ device: { recognition, payload } }) =>
      [recognition.tokenId, recognition.linkedDeviceId, payload.digests.durations].filter((key) => key != null),
    run: (visits) => storeBatch(db, visits),
  });

const stores = new WeakMap<Db, ReturnType<typeof createStore>>();

/**
 * Stores a visit in one statement, together with those of its workspace that arrive while an earlier statement is
 * running.
 *
 * @returns `used` if the challenge was already used; `staleSnapshot` if the visit must be evaluated again because another
 *   visit of its device came in between or it repeats an earlier visit. Nothing is changed in these cases
 */
export function storeTogether(db: Db, visit: VisitToStore): Promise<Outcome> {
  const store = stores.get(db) ?? createStore(db);
  stores.set(db, store);
  return store(visit);
}
