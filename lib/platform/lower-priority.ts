import { getPriority, setPriority } from "node:os";

/** Reads and sets a process's nice value: 0 unless told, at most 19. */
type Scheduler = { get: () => number; set: (nice: number) => void };

/**
 * Lets other processes have a busy processor before this one. A process that has a lower priority already keeps it, since
 * raising it takes privileges. A sandbox that forbids it is accepted: the work is the same, only less considerate.
 *
 * @param nice 1 to 19, as in `os.constants.priority`
 */
export function lowerPriority(nice: number, scheduler: Scheduler = { get: getPriority, set: setPriority }): void {
  if (scheduler.get() >= nice) return;
  try {
    scheduler.set(nice);
  } catch {
    // EPERM or EACCES, for example by a system call filter.
  }
}
