import type { Db } from "@/db/client";
import { JOBS } from "./jobs";
import { listJobRows } from "./queries";

/**
 * The state of this release's jobs, by name. Jobs left over from other releases or settings, such as backups that are
 * no longer scheduled, never run and are not listed.
 */
export const listJobStates = (db: Db) =>
  listJobRows(
    db,
    JOBS.map(({ name }) => name),
  );
