// Plain JavaScript, because `npm start` explains a full disk before anything is built.
import fs from "node:fs";
import path from "node:path";

/** A file next to the database that only occupies space, to be removed when the disk is full. */
export const RESERVE = "reserve";

/** A recovery of PostgreSQL needs a segment of its log, 16 MB, and room for what it replays. */
const FULL_BYTES = 32e6;

/** @param {string} folder @returns {string} the folder, or the nearest one above it that exists */
function existing(folder) {
  const parent = path.dirname(folder);
  return fs.existsSync(folder) || parent === folder ? folder : existing(parent);
}

/**
 * What is used up on the disk of `folder`; undefined if there is room, or if it cannot be determined.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
function usedUp(folder) {
  try {
    const { bavail, bsize, files, ffree } = fs.statfsSync(existing(folder));
    if (files > 0 && ffree === 0) return "no inodes free";
    return bavail * bsize < FULL_BYTES ? `${((bavail * bsize) / 1e6).toFixed(1)} MB free` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * How to get space on the disk of a database.
 *
 * @param {string} folder
 */
export function howToFree(folder) {
  const reserve = path.join(folder, RESERVE);
  const first = fs.existsSync(reserve)
    ? `Remove ${reserve}, which is kept for this and holds nothing: then commands that delete, and the service, have room to run.`
    : "Remove what does not belong to Imprint, old backups or a folder postgres.before-*.";
  return `${first} Then delete data, lower RETENTION_DAYS or SIGNALS_RETENTION_DAYS, or enlarge the disk. No data was lost.`;
}

/**
 * Says that the disk of a database is full and what to do; undefined if it is not, or if it cannot be determined.
 *
 * @param {string} folder
 * @returns {string | undefined}
 */
export function describeFullDisk(folder) {
  const used = usedUp(folder);
  return used === undefined ? undefined : `The disk of ${folder} is full (${used}). ${howToFree(folder)}`;
}

/**
 * Whether an error of the system says that nothing more can be written to a disk.
 *
 * @param {unknown} code
 */
export const isOfFullDisk = (code) => code === "ENOSPC" || code === "EDQUOT";
