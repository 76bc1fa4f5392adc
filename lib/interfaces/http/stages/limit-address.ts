import type { Db } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import type { AddressLimit } from "@/lib/contract/operation";
import { ADDRESS_LIMITS, type Decision, knownRefusal, takePermitAndRead, failureModeOf } from "@/lib/platform/limits";
import { subjectOf } from "./authenticate";

/** The subject to count. If the limit fails closed, clients without a known address share one bucket. */
const countedFor = (limit: AddressLimit, address: string | undefined): string | undefined =>
  subjectOf(address) ?? (failureModeOf(limit) === "closed" ? "unknown" : undefined);

/**
 * The permit that an operation takes from its caller's address. `gate` receives each decision and throws on a refusal.
 * Nothing is taken if there is no limit, or if the address is unknown and the limit fails open.
 */
export function addressPermit(
  limit: AddressLimit | undefined,
  address: string | undefined,
  gate: (decision: Decision) => void,
) {
  const counted = limit && countedFor(limit, address);
  return {
    /**
     * Refuses an address that this process already knows to be over its limit, before any work is done for the request.
     */
    refuseIfKnown(): void {
      if (limit === undefined || counted === undefined) return;
      const refusal = knownRefusal(ADDRESS_LIMITS[limit], counted);
      if (refusal) gate(refusal);
    },
    /** Takes the permit; returns the row read in the same round trip, if there was one. */
    async take(db: Db, query: RowQuery | undefined) {
      if (limit === undefined || counted === undefined) return undefined;
      const failureMode = failureModeOf(limit);
      const { decision, row } = await takePermitAndRead(db, ADDRESS_LIMITS[limit], counted, failureMode, query);
      gate(decision);
      return row;
    },
  };
}
