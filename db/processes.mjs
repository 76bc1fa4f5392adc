// Plain JavaScript, because scripts take locks before anything is built.
import fs from "node:fs";

/**
 * Process state. The start time, in ticks since boot, tells a process from a later one with the same id; it is empty on
 * systems without /proc. Source: proc(5), fields 3 (state) and 22 (start time).
 *
 * @param {number} pid
 */
function statOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { isZombie: fields[0] === "Z" || fields[0] === "X", birth: fields[19] ?? "" };
  } catch {
    return { isZombie: false, birth: "" };
  }
}

/** @param {number} pid */
export const birthOf = (pid) => statOf(pid).birth;

/**
 * Whether a process runs; one that has ended but was not waited for has no resources any more.
 *
 * @param {number} pid @param {string} [birth] as returned by `birthOf` earlier, to exclude a later process with this id
 */
export function isAlive(pid, birth = birthOf(pid)) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return false;
  }
  const stat = statOf(pid);
  return !stat.isZombie && stat.birth === birth;
}
