import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { now } from "@/lib/platform/clock";
import { type Context, onReader } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { type History, HISTORY_DEFAULT_DAYS, HISTORY_DEFAULT_RECENT, HISTORY_MAX_RECENT } from "@/lib/contract/history";
import { AppError } from "@/lib/contract/errors";
import { type CallFindings, countedCall } from "@/lib/metering";
import { type Plan, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { addDays, firstSecondOf, type RangeRequest, resolveRange } from "./domain/range";
import { countHistory, findDeviceOfVisit } from "@/lib/visits/visit-store";

/** The workspace to read: that of the key, or the one that a person's client is connected to. */
type Reader = { workspaceId: string; keyId?: string; plan: Plan };
type Input = RangeRequest & { imprint: string; recent?: number | undefined };

const instant = (milliseconds: number | string) => new Date(Number(milliseconds)).toISOString();

/**
 * Reads the visits of the device behind an imprint by day. Consumes nothing. The cost depends on the range, not on how
 * busy the device was.
 *
 * @throws AppError `history_not_allowed`, `report_not_found`, `invalid_request`
 */
export function readHistory(context: Pick<Context, "db" | "reader">, reader: Reader, input: Input): Promise<History> {
  const { workspaceId, keyId } = reader;
  // A history always includes its own visit, which a replica may not have yet if it is recent.
  const { db } = isOlderThanReplica(input.imprint, now()) ? onReader(context) : context;
  return countedCall({ workspaceId, keyId, operation: "readHistory" }, (findings) =>
    history(db, reader, input, findings),
  );
}

/** Creation time of an imprint, from the first 48 bits of its UUIDv7 (RFC 9562, section 5.7). */
const timeOf = (imprint: string): number => Number.parseInt(idToUuid(imprint).slice(0, 12), 16);

/** Allowed difference between the clocks of service and database; `doctor` reports larger ones. */
const CLOCK_TOLERANCE_MS = 5_000;

const isOlderThanReplica = (imprint: string, at: Date): boolean =>
  at.getTime() - timeOf(imprint) > env.DATABASE_READ_MAX_LAG_SECONDS * 1000 + CLOCK_TOLERANCE_MS;

async function history(db: Db, reader: Reader, input: Input, findings: CallFindings): Promise<History> {
  const { historyDays } = PLAN_LIMITS[reader.plan];
  if (historyDays === 0) throw new AppError("history_not_allowed");
  const { imprint, recent = HISTORY_DEFAULT_RECENT } = input;
  if (!(Number.isInteger(recent) && recent >= 0 && recent <= HISTORY_MAX_RECENT))
    throw new AppError("invalid_request", { message: `recent: expected 0 to ${HISTORY_MAX_RECENT}` });
  const found = await findDeviceOfVisit(db, reader.workspaceId, imprint);
  const range = resolveRange(input, {
    today: found?.today ?? "1970-01-01",
    maxDays: historyDays,
    defaultDays: HISTORY_DEFAULT_DAYS,
  });
  // An invalid range is refused whether or not the imprint exists.
  if (typeof range === "string") throw new AppError("invalid_request", { message: range });
  if (!found) throw new AppError("report_not_found");
  findings.webAppId = found.webAppId;
  const counted = await countHistory(db, reader.workspaceId, found.deviceUuid, {
    fromSecond: firstSecondOf(range.from),
    days: range.days,
    recent,
  });
  const counts = new Map(counted.days);
  const timeline = Array.from({ length: range.days }, (_, index) => ({
    date: addDays(range.from, index),
    count: counts.get(index) ?? 0,
  }));
  const events = timeline.reduce((sum, { count }) => sum + count, 0);
  return {
    imprint,
    range,
    summary: {
      events,
      truncated: events > counted.recent.length,
      ...(counted.first_ms === null ? {} : { firstSeenAt: instant(counted.first_ms) }),
      ...(counted.last_ms === null ? {} : { lastSeenAt: instant(counted.last_ms) }),
    },
    timeline,
    recent: counted.recent.map(({ ms, surface }) => ({ at: instant(ms), surface })),
  };
}
