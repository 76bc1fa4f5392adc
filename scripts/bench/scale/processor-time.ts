import fs from "node:fs";

/** Linux counts processor time in hundredths of a second: USER_HZ. Source: proc(5). */
const MICROS_PER_TICK = 10_000;

function microsOf(id: string, database: string): number {
  try {
    // PostgreSQL names a session's process by its role and database; background processes are nobody's.
    const title = fs.readFileSync(`/proc/${id}/cmdline`, "utf8");
    if (!title.startsWith("postgres:") || !title.includes(` ${database} `)) return 0;
    const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK;
  } catch {
    return 0; // it ended meanwhile
  }
}

/**
 * Microseconds of processor time of the sessions of a database on this machine, on all servers of a cluster that run
 * here. Sessions that have ended are not in it: a measurement keeps its own open.
 */
export const databaseMicros = (database: string): number =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, id) => sum + microsOf(id, database), 0);
