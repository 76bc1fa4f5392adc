import { readFileSync } from "node:fs";

import { processIds, readProcess } from "../../common/proc";

function microsOf(id: number, database: string): number {
  try {
    // PostgreSQL sets the title of a backend to its role and database; background processes have neither.
    const title = readFileSync(`/proc/${id}/cmdline`, "utf8");
    return title.startsWith("postgres:") && title.includes(` ${database} `) ? (readProcess(id)?.micros ?? 0) : 0;
  } catch {
    return 0; // it has exited
  }
}

/**
 * CPU time in microseconds of a database's sessions on this machine, on all cluster servers running here. Ended
 * sessions are not included: a measurement keeps its own open.
 */
export const databaseMicros = (database: string): number =>
  processIds().reduce((sum, id) => sum + microsOf(id, database), 0);
