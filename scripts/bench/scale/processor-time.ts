import fs from "node:fs";

/** Linux counts CPU time in hundredths of a second: USER_HZ. Source: proc(5). */
const MICROS_PER_TICK = 10_000;

function microsOf(id: string, database: string): number {
  try {
    // PostgreSQL sets the title of a backend to its role and database; background processes have neither.
    const title = fs.readFileSync(`/proc/${id}/cmdline`, "utf8");
    if (!title.startsWith("postgres:") || !title.includes(` ${database} `)) return 0;
    const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK;
  } catch {
    return 0; // it has exited
  }
}

/**
 * CPU time in microseconds of a database's sessions on this machine, on all cluster servers running here. Ended
 * sessions are not included: a measurement keeps its own open.
 */
export const databaseMicros = (database: string): number =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, id) => sum + microsOf(id, database), 0);
