import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { nextStep } from "./domain/slices";
import {
  type Delivery,
  divideUnits,
  isInLedger,
  readSlices,
  spendUnit,
  type Together,
  UNIT_SLICES,
  type UnitLimit,
} from "./queries-units";

/** Each attempt that fails means that another delivery went ahead, so this many are only a guard against a fault. */
const MAX_ATTEMPTS = 200;

/**
 * Uses one report unit for the first delivery of an imprint and enters it into the ledger, both or neither; an imprint
 * that was delivered before uses none. Exact at the limit under any concurrency, and safe to repeat after a lost answer.
 *
 * @returns `notTogether` when what belongs to the delivery could not be done with it: nothing is changed then
 * @throws AppError quota_exhausted
 */
export async function meterDelivery(
  db: Db,
  delivery: Delivery,
  limit: UnitLimit,
  together?: Together,
): Promise<"delivered" | "repeated" | "notTogether"> {
  let slice = Math.floor(Math.random() * UNIT_SLICES);
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    const outcome = await spendUnit(db, delivery, limit, slice, together);
    if (outcome !== "noRoom") return outcome;
    const step = nextStep(await readSlices(db, delivery.workspaceId, limit.unitPeriod), limit.reportUnits, UNIT_SLICES);
    if (step.kind === "refuse") {
      // The last unit may have gone to this very imprint meanwhile.
      if (!(await isInLedger(db, delivery))) throw new AppError("quota_exhausted");
      return "repeated";
    }
    if (step.kind === "try") ({ slice } = step);
    else await db.transaction((tx) => divideUnits(tx, delivery.workspaceId, limit));
  }
  throw new AppError("service_unavailable", { cause: new Error("no slice of the period could be used") });
}
