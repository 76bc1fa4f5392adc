import type { Db } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import type { AddressLimit } from "@/lib/contract/operation";
import { ADDRESS_LIMITS, type Decision, knownRefusal, takePermitAndRead, failureModeOf } from "@/lib/platform/limits";
import { subjectOf } from "./authenticate";

/** Who is counted; where nothing goes on uncounted, those without a known address share one bucket. */
const countedFor = (limit: AddressLimit, address: string | undefined): string | undefined =>
  subjectOf(address) ?? (failureModeOf(limit) === "closed" ? "unknown" : undefined);

/**
 * The permit that an operation costs the address of its caller. `gate` gets each decision, and throws at a refusal.
 * Without a limit, or a known address where that is let go on, nothing is taken.
 */
export function addressPermit(
  limit: AddressLimit | undefined,
  address: string | undefined,
  gate: (decision: Decision) => void,
) {
  const counted = limit && countedFor(limit, address);
  return {
    /** Refuses whom this process knows to be over the limit already: before any work is done for the request. */
    refuseIfKnown(): void {
      if (limit === undefined || counted === undefined) return;
      const refusal = knownRefusal(ADDRESS_LIMITS[limit], counted);
      if (refusal) gate(refusal);
    },
    /** Takes the permit; what was read in the same round trip, where one was made. */
    async take(db: Db, query: RowQuery | undefined) {
      if (limit === undefined || counted === undefined) return undefined;
      const failureMode = failureModeOf(limit);
      const { decision, row } = await takePermitAndRead(db, ADDRESS_LIMITS[limit], counted, failureMode, query);
      gate(decision);
      return row;
    },
  };
}
