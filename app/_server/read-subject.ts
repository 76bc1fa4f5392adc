import { allOfIt, lastSteps } from "@/components/report/time-steps";
import type { Context } from "@/lib/platform/context";
import { summariseSubject } from "@/lib/visits/investigation";
import { countReports, listReports } from "@/lib/visits/reports";

const WEEKS = 13;
const VISITS = 20;

type Key = { workspaceId: string } & (
  | { kind: "device"; deviceId: string }
  | { kind: "account"; accountId: string }
  | { kind: "address"; address: string }
);

/** The figures of a subject, its Reports by week, and a page of its visits. */
export async function readSubject(context: Context, key: Key, before: string | undefined, zone: string) {
  const [summary, counts, visits] = await Promise.all([
    summariseSubject(context, key),
    countReports(context, { ...key, ...lastSteps(WEEKS, "week", context.now, zone) }),
    listReports(context, { ...key, ...allOfIt(context.now), before, limit: VISITS }),
  ]);
  return { summary, counts, visits };
}
