import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second: USER_HZ, the same on every machine. Source: proc(5). */
const MICROS_PER_TICK = 10_000;

/** A running process, and the CPU time (user and system) that it has used. */
export type Process = { id: number; parent: number; name: string; micros: number };

/** Undefined if it has exited, or if this is not Linux. */
export function readProcess(id: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    return { id, name, parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK };
  } catch {
    return undefined;
  }
}

/** Ids of all processes; none where there is no `/proc`. */
export const processIds = (): number[] =>
  existsSync("/proc")
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];

export const processes = (): Process[] => processIds().flatMap((id) => readProcess(id) ?? []);

/** A process and its descendants, without those below a process that is not `isCounted`. */
export function treeOf(root: number, isCounted: (process: Process) => boolean = () => true): Process[] {
  const all = processes();
  const found = all.filter(({ id }) => id === root);
  for (const { id } of found) found.push(...all.filter((process) => process.parent === id && isCounted(process)));
  return found;
}

/** Ids of a process and all its descendants. */
export const processTree = (root: number): number[] => treeOf(root).map(({ id }) => id);
