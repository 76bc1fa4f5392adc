import { readdirSync } from "node:fs";
import { availableParallelism, getPriority, setPriority } from "node:os";

/** Reads and sets a process's nice value: 0 unless told, at most 19. */
type Scheduler = { get: () => number; set: (nice: number) => void };

/** The scheduler's view of a process, by default this one. */
export const schedulerOf = (pid = 0): Scheduler => ({
  get: () => getPriority(pid),
  set: (nice) => {
    setPriority(pid, nice);
  },
});

/**
 * Lets other processes have a busy processor before this one, or the one of `scheduler`. A process that has a lower
 * priority already keeps it, since raising it takes privileges. A process of another user and a sandbox that forbids it
 * are accepted: the work is the same, only less considerate.
 *
 * @param nice 1 to 19, as in `os.constants.priority`
 */
export function lowerPriority(nice: number, scheduler: Scheduler = schedulerOf()): void {
  try {
    if (scheduler.get() < nice) scheduler.set(nice);
  } catch {
    // EPERM or EACCES, for example by a system call filter; ESRCH if the process has ended.
  }
}

/** Ids of this process's threads on Linux, where each has a priority of its own. */
function threadIds(): number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [];
  }
}

/**
 * `lowerPriority` of this process with the threads that it has: V8's, which collect garbage, and those that read and
 * compress files.
 */
export function lowerPriorityOfThreads(nice: number): void {
  lowerPriority(nice);
  for (const id of threadIds()) lowerPriority(nice, schedulerOf(id));
}

const FEW_CORES = 3;

/** Whether the machine has so few cores that work which can wait delays requests even with a low priority. */
export const hasFewCores = (): boolean => availableParallelism() <= FEW_CORES;
