import type { Db } from "@/db/client";
import { examineReplica, type ReplicaExamination } from "@/db/examine-replica";
import { env } from "@/lib/platform/env";
import { whyUnusable } from "@/lib/platform/name-database";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";

const name = "read-replica";
/** Shorter than the deadline of a check. */
const MAX_WAIT_MS = 5_000;
const MEANWHILE = "Until then, Console, exports and History read from the primary.";

export function describeReplica(
  found: ReplicaExamination,
  { url, maxLagSeconds }: { url: string; maxLagSeconds: number },
): CheckResult {
  switch (found.kind) {
    case "follows": {
      const text = `The read replica was ${(found.lagMs / 1000).toFixed(1)} s behind; it is read from up to ${maxLagSeconds} s.`;
      return ok(name, text);
    }
    case "behind":
      return warn(
        name,
        `The read replica has not shown a write within ${(found.waitedMs / 1000).toFixed(0)} s. ${MEANWHILE}`,
        "See pg_stat_replication on the primary: is it connected, is its replay paused or held up by a query?",
      );
    case "primary":
      return warn(
        name,
        `DATABASE_READ_URL is a server that is not a standby. ${MEANWHILE}`,
        "Was it promoted? Set it to a streaming replica of the database in DATABASE_URL.",
      );
    case "foreign":
      return fail(
        name,
        `DATABASE_READ_URL is a replica of a different database server. ${MEANWHILE}`,
        "Set it to a streaming replica of the database in DATABASE_URL.",
      );
    case "away":
      return warn(
        name,
        `The read replica does not answer: ${whyUnusable("DATABASE_READ_URL", url, found.error)}. ${MEANWHILE}`,
        "Start it, or correct the address. The service reconnects by itself.",
      );
  }
}

/** Whether the read replica follows the database; no facts without one. */
export async function checkReplica(db: Db): Promise<CheckResult[]> {
  const { DATABASE_READ_URL: url, DATABASE_READ_MAX_LAG_SECONDS: maxLagSeconds } = env;
  if (url === undefined) return [];
  const found = await examineReplica(db, url, Math.min(maxLagSeconds * 1000, MAX_WAIT_MS));
  return [describeReplica(found, { url, maxLagSeconds })];
}
