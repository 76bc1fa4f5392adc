import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { metrics } from "@/lib/platform/metrics";
import { nextStep } from "./domain/slices";
import {
  type Delivery,
  divideUnits,
  findDelivery,
  readSlices,
  useUnit,
  type AtomicParts,
  COUNTER_STRIPES,
  type UnitLimit,
} from "./queries-units";

/** An attempt fails only if another delivery succeeded; this limit merely guards against an endless loop. */
const MAX_ATTEMPTS = 200;

/**
 * Uses one report unit for the first delivery of an imprint and stores the delivery, atomically. Later deliveries use
 * none. Exact at the limit under any concurrency, and idempotent.
 *
 * @returns `partsRejected` if the statement's additional parts could not be applied; nothing is changed then
 * @throws AppError `quota_exhausted`
 */
export async function meterDelivery(...delivering: Parameters<typeof deliver>): ReturnType<typeof deliver> {
  const outcome = await deliver(...delivering);
  metrics()?.count("imprint_deliveries_total", { outcome });
  return outcome;
}

async function deliver(
  db: Db,
  delivery: Delivery,
  limit: UnitLimit,
  together?: AtomicParts,
): Promise<"delivered" | "repeated" | "partsRejected"> {
  let slice = Math.floor(Math.random() * COUNTER_STRIPES);
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    const outcome = await useUnit(db, delivery, limit, slice, together);
    if (outcome !== "exhausted") return outcome;
    const step = nextStep(
      await readSlices(db, delivery.workspaceId, limit.unitPeriod),
      limit.reportUnits,
      COUNTER_STRIPES,
    );
    if (step.kind === "refuse") {
      // A concurrent delivery of the same imprint may have used the last unit.
      if (!(await findDelivery(db, delivery))) throw new AppError("quota_exhausted");
      return "repeated";
    }
    if (step.kind === "try") ({ slice } = step);
    else await db.transaction((tx) => divideUnits(tx, delivery.workspaceId, limit));
  }
  throw new AppError("service_unavailable", { cause: new Error("no slice of the period could be used") });
}
