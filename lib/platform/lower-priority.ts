import { getPriority, setPriority } from "node:os";

/**
 * Lets other processes have a busy processor before this one. A process that has a lower priority already keeps it, since
 * raising it takes privileges. A sandbox that forbids it is accepted: the work is the same, only less considerate.
 *
 * @param nice 1 to 19, as in `os.constants.priority`
 */
export function lowerPriority(nice: number, set: typeof setPriority = setPriority): void {
  if (getPriority() >= nice) return;
  try {
    set(nice);
  } catch {
    // EPERM or EACCES, for example by a system call filter.
  }
}
