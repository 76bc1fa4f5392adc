import { getPriority, setPriority } from "node:os";

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
