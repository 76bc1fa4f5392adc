import type { Db } from "@/db/client";
import { JOBS } from "./jobs";
import { listJobRows } from "./queries";

/**
 * How the jobs of this release are, by name. Those that other releases or settings have left, such as backups where none
 * are scheduled any more, never run.
 */
export const listJobStates = (db: Db) =>
  listJobRows(
    db,
    JOBS.map(({ name }) => name),
  );
