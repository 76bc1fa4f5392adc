import fs from "node:fs";

/** Linux counts CPU time in hundredths of a second: USER_HZ, the same on every machine. Source: proc(5). */
const MICROS_PER_TICK = 10_000;

function readStat(id: number): { parent: number; name: string; ticks: number } | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    return { parent: Number(fields[1]), name, ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined; // it has exited, or this is not Linux
  }
}

const processes = () =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), readStat(Number(name))] as const);

/**
 * CPU time (user and system) in microseconds used so far by a process and its descendants, excluding the database
 * server that a service with an embedded one has as a descendant. Undefined without /proc.
 */
export function processorMicros(root: number): number | undefined {
  if (!readStat(root)) return undefined;
  const found = processes();
  const below = new Set([root]);
  let ticks = readStat(root)?.ticks ?? 0;
  for (let grown = true; grown;) {
    grown = false;
    for (const [id, stat] of found) {
      if (!stat || below.has(id) || !below.has(stat.parent) || stat.name === "postgres") continue;
      below.add(id);
      ticks += stat.ticks;
      grown = true;
    }
  }
  return ticks * MICROS_PER_TICK;
}

/** The same for all database servers on the machine; there is only one while the benchmark runs. */
export const databaseMicros = (): number =>
  processes().reduce((sum, [, stat]) => sum + (stat?.name === "postgres" ? stat.ticks : 0), 0) * MICROS_PER_TICK;
