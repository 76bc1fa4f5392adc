import { dropPartitionsBefore, ensurePartitions } from "@/db/partitions";
import { forecast } from "@/lib/operations/instance/domain/retention";
import { measureGrowth } from "@/lib/operations/instance/forecast-disk";
import { deleteOldPayloadObservations } from "@/lib/operations/jobs/delete-old-payload-observations";
import { eraseOldSignals } from "@/lib/operations/jobs/erase-old-signals";
import { deleteOldChallengeUses, deleteOldDeviceAddresses } from "@/lib/visits/visit-store";
import { progress } from "../../common/command";
import type { Clock } from "./clock";
import { type Place, putVisits } from "./place";

const DAY_MS = 86_400_000;
/** Shorter than in any real installation, to keep the number of simulated days practical. */
const RETENTION = { retentionDays: 14, signalsRetentionDays: 5 };
/** Long enough for one month to be entirely beyond the retention and the next month's visits to arrive. */
const DAYS = 62;
/** Numbers of days after which a forecast is made. */
const FORECAST_AFTER = [2, 7, 14];

/** Runs the daily jobs. */
async function endDay({ db, admin }: Place, now: Date): Promise<void> {
  const { signal } = new AbortController();
  const run = { db, now, signal, progress: now.toISOString(), saveProgress: () => Promise.resolve() };
  await ensurePartitions(db, now, now);
  await eraseOldSignals(run, RETENTION.signalsRetentionDays);
  await dropPartitionsBefore(db, "month", new Date(now.getTime() - RETENTION.retentionDays * DAY_MS));
  await deleteOldPayloadObservations(run, RETENTION.retentionDays);
  await deleteOldDeviceAddresses(db, RETENTION.retentionDays, signal);
  await deleteOldChallengeUses(db, signal);
  // What autovacuum would do in a day.
  await admin.unsafe("vacuum analyze");
}

async function bytesOf({ admin }: Place): Promise<number> {
  const [row] = await admin<{ bytes: number }[]>`
    select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;
  return row?.bytes ?? 0;
}

async function forecastAt({ db }: Place, at: Date): Promise<number> {
  const growth = await measureGrowth(db, at, RETENTION);
  if (!growth) throw new Error("There are no visits to estimate from.");
  return forecast(growth, RETENTION).allBytes;
}

/** Simulates two months of visits, and compares the peak database size with the forecasts of the first days. */
export async function growPlace(place: Place, clock: Clock, visitsPerDay: number) {
  const start = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
  const forecasts: { afterDays: number; bytes: number }[] = [];
  let mostBytes = 0;
  for (let day = 0; day < DAYS; day += 1) {
    const at = (hours: number) => new Date(start.getTime() + day * DAY_MS + hours * 3_600_000);
    for (const hour of [2, 10, 16, 20]) {
      await clock.moveTo(at(hour));
      if (hour === 2) await ensurePartitions(place.db, at(hour), at(hour));
      await putVisits(place, Math.round(visitsPerDay / 4));
    }
    await endDay(place, at(23.9));
    mostBytes = Math.max(mostBytes, await bytesOf(place));
    if (FORECAST_AFTER.includes(day + 1))
      forecasts.push({ afterDays: day + 1, bytes: await forecastAt(place, at(23.9)) });
    if (day % 7 === 6) progress(`${day + 1} of ${DAYS} days: ${(mostBytes / 1e6).toFixed(1)} MB`);
  }
  return {
    ...RETENTION,
    days: DAYS,
    visitsPerDay,
    mostBytes,
    forecasts: forecasts.map((each) => ({ ...each, error: each.bytes / mostBytes - 1 })),
  };
}
