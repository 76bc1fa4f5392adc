import { dropEmptiedMonths, dropPartitionsBefore, ensurePartitionsAround } from "@/db/partitions";
import { announceExpiringKeys, purgeKeyUses } from "@/lib/tenancy/api-keys";
import { announceQuotas } from "@/lib/metering";
import { countPopulations } from "@/lib/visits/devices";
import { isBackupRunning, runScheduledBackup } from "@/lib/operations/backup";
import { now as readClock } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { deleteIdleBuckets } from "@/lib/platform/limits";
import {
  deleteToolCallsOlderThan,
  purgeEndedOauth,
  retryClientDocuments,
  TOOL_CALL_DAYS,
} from "@/lib/interfaces/oauth";
import { countAllSlices } from "@/lib/visits/slices";
import { purgeProbeObservations } from "@/lib/visits/probe";
import { purgeEndedSessions } from "@/lib/tenancy/sign-in";
import { deleteOldChallengeUses, deleteOldDeviceAddresses, deleteOldTokenObservations } from "@/lib/visits/visit-store";
import { checkAlerts, sendAlerts } from "@/lib/visits/alerts";
import { sendNotices } from "@/lib/tenancy/webhooks";
import { endIntents, purgeUnpaidIntents, watchSettlements } from "@/lib/trials";
import { purgeRefusedOrigins } from "@/lib/tenancy/web-apps";
import { deleteOldCaseItems } from "./delete-old-case-items";
import { deleteOldPayloadObservations } from "./delete-old-payload-observations";
import { deleteOldVisits } from "./delete-old-visits";
import { deleteOldWebhooks } from "./delete-old-webhooks";
import { deleteOldSlices } from "./delete-old-slices";
import { eraseOldSignals } from "./erase-old-signals";
import { foldAllUsage } from "./fold-all-usage";
import type { Job } from "./job";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const BACKUP: Job = {
  name: "backup",
  everySeconds: 10 * MINUTE,
  retrySeconds: 10 * MINUTE,
  run: ({ now, signal }) => runScheduledBackup({ now, signal, folder: env.BACKUP_DIR ?? "" }),
};

/**
 * Groups run in parallel, the jobs of a group sequentially. Jobs that wait for other machines, or take hours after a
 * setting was changed, must not delay trials, alerts or partitions. docs/decisions/0084-groups-of-jobs.md
 */
export const JOB_GROUPS = {
  short: [
    {
      name: "ensure-partitions",
      everySeconds: HOUR,
      // Event ids carry the time of their process, which may differ from the database's.
      run: ({ db, now }) => ensurePartitionsAround(db, [now, readClock()]),
    },
    {
      name: "purge-challenge-uses",
      everySeconds: 5 * MINUTE,
      run: ({ db, signal }) => deleteOldChallengeUses(db, signal),
    },
    {
      name: "purge-probe-sightings",
      everySeconds: 5 * MINUTE,
      run: ({ db, signal }) => purgeProbeObservations(db, signal),
    },
    { name: "count-device-populations", everySeconds: MINUTE, run: ({ db, signal }) => countPopulations(db, signal) },
    { name: "announce-quotas", everySeconds: MINUTE, run: ({ db, signal }) => announceQuotas(db, signal) },
    { name: "announce-expiring-keys", everySeconds: HOUR, run: ({ db, signal }) => announceExpiringKeys(db, signal) },
    { name: "check-alerts", everySeconds: MINUTE, run: ({ db, now, signal }) => checkAlerts(db, now, signal) },
    { name: "fold-usage", everySeconds: 5 * MINUTE, run: foldAllUsage },
    { name: "end-trials", everySeconds: MINUTE / 2, run: ({ db, signal }) => endIntents(db, signal) },
  ],
  deletions: [
    { name: "purge-refused-origins", everySeconds: HOUR, run: ({ db, signal }) => purgeRefusedOrigins(db, signal) },
    { name: "purge-key-uses", everySeconds: HOUR, run: ({ db, signal }) => purgeKeyUses(db, signal) },
    {
      name: "purge-token-sightings",
      everySeconds: HOUR,
      run: ({ db, signal }) => deleteOldTokenObservations(db, signal),
    },
    { name: "purge-idle-rate-buckets", everySeconds: HOUR, run: ({ db, signal }) => deleteIdleBuckets(db, signal) },
    { name: "purge-ended-oauth", everySeconds: HOUR, run: ({ db, signal }) => purgeEndedOauth(db, signal) },
    { name: "purge-ended-sessions", everySeconds: HOUR, run: ({ db, signal }) => purgeEndedSessions(db, signal) },
    { name: "delete-old-webhooks", everySeconds: HOUR, run: deleteOldWebhooks },
    { name: "delete-old-slices", everySeconds: HOUR, run: (run) => deleteOldSlices(run, env.RETENTION_DAYS) },
    { name: "purge-unpaid-intents", everySeconds: HOUR, run: ({ db, signal }) => purgeUnpaidIntents(db, signal) },
    {
      name: "drop-old-visits",
      everySeconds: DAY,
      async run(run) {
        // A running backup locks the partitions that it reads, and a waiting drop would block all other queries on
        // them.
        if (await isBackupRunning(run.db))
          throw new Error("a backup is being written: partitions are dropped after it");
        // The ledger's partitions are dropped along with the visits, so usage is aggregated first.
        await foldAllUsage(run);
        await dropPartitionsBefore(run.db, "month", new Date(run.now.getTime() - env.RETENTION_DAYS * DAY * 1000));
        await dropEmptiedMonths(run.db, new Date(run.now.getTime() - DAY * 1000));
      },
    },
    {
      name: "delete-old-visits",
      everySeconds: HOUR,
      run: (run) => deleteOldVisits(run, env.RETENTION_DAYS),
    },
    { name: "delete-old-case-items", everySeconds: HOUR, run: (run) => deleteOldCaseItems(run, env.RETENTION_DAYS) },
    {
      name: "delete-old-sightings",
      everySeconds: HOUR,
      run: (run) => deleteOldPayloadObservations(run, env.RETENTION_DAYS),
    },
    {
      // Logged tool calls refer to visits, and are not kept longer than them.
      name: "delete-old-tool-calls",
      everySeconds: HOUR,
      run: ({ db, signal }) => deleteToolCallsOlderThan(db, TOOL_CALL_DAYS, signal),
    },
    {
      name: "delete-old-addresses",
      everySeconds: DAY,
      run: ({ db, signal }) => deleteOldDeviceAddresses(db, env.RETENTION_DAYS, signal),
    },
    { name: "erase-old-signals", everySeconds: HOUR, run: (run) => eraseOldSignals(run, env.SIGNALS_RETENTION_DAYS) },
  ],
  counts: [{ name: "count-slices", everySeconds: MINUTE, run: ({ db, signal }) => countAllSlices(db, signal) }],
  payments: [
    { name: "watch-settlements", everySeconds: MINUTE, run: ({ db, signal }) => watchSettlements(db, signal) },
  ],
  documents: [{ name: "retry-client-documents", everySeconds: 5 * MINUTE, run: ({ db }) => retryClientDocuments(db) }],
  mails: [
    { name: "mail-alerts", everySeconds: MINUTE / 2, run: ({ db, now, signal }) => sendAlerts(db, now, signal) },
    { name: "mail-disabled-webhooks", everySeconds: MINUTE, run: ({ db, signal }) => sendNotices(db, { signal }) },
  ],
  backups: env.BACKUP_DIR === undefined ? [] : [BACKUP],
} satisfies Record<string, readonly Job[]>;

export const JOBS: readonly Job[] = Object.values(JOB_GROUPS).flat();
