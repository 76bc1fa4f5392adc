import { dropPartitionsBefore, ensurePartitions } from "@/db/partitions";
import { env } from "@/lib/env";
import { deleteIdleBuckets } from "@/lib/limits";
import { purgeEndedSessions } from "@/lib/sign-in";
import { purgeRefusedOrigins } from "@/lib/web-apps";
import { eraseOldSignals } from "./erase-old-signals";
import type { Job } from "./job";
import { deleteOldChallengeUses } from "./queries-retention";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BATCH = 5_000;

/** The background work of the service itself. */
export const JOBS: readonly Job[] = [
  { name: "ensure-partitions", everySeconds: DAY, run: ({ db, now }) => ensurePartitions(db, now, now) },
  {
    name: "purge-challenge-uses",
    everySeconds: 5 * MINUTE,
    async run({ db, signal }) {
      for (let deleted = BATCH; deleted === BATCH && !signal.aborted;)
        deleted = await deleteOldChallengeUses(db, BATCH);
    },
  },
  {
    name: "purge-refused-origins",
    everySeconds: HOUR,
    async run({ db, signal }) {
      await purgeRefusedOrigins(db, signal);
    },
  },
  { name: "purge-idle-rate-buckets", everySeconds: HOUR, run: ({ db }) => deleteIdleBuckets(db) },
  { name: "purge-ended-sessions", everySeconds: HOUR, run: ({ db, signal }) => purgeEndedSessions(db, signal) },
  {
    name: "drop-old-visits",
    everySeconds: DAY,
    async run({ db, now }) {
      await dropPartitionsBefore(db, new Date(now.getTime() - env.RETENTION_DAYS * DAY * 1000));
    },
  },
  { name: "erase-old-signals", everySeconds: HOUR, run: (run) => eraseOldSignals(run, env.SIGNALS_RETENTION_DAYS) },
];
