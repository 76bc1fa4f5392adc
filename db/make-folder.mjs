// Plain JavaScript, because `npm start` checks the data directory before anything is built.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { howToFree, isOfFullDisk } from "./full-disk.mjs";

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code ?? String(error);

/** @param {string} folder */
export const isFolder = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates a folder and its parents unless they exist, by default writable only for this user whatever the umask. Node's own `recursive` option never returns where a folder cannot
 * be created although its parent exists, as in `/proc` and below an automounter.
 *
 * @param {string} folder @param {number} [mode]
 */
export function makeFolder(folder, mode = 0o755) {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    fs.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Creates the data directory and tries what the service does there, so that a folder in which it cannot work is refused
 * with its name and the reason.
 *
 * @param {string} dataDir
 */
export function prepareDataDir(dataDir) {
  const file = path.join(dataDir, `.try.${randomBytes(6).toString("hex")}`);
  const link = `${file}.link`;
  try {
    makeFolder(dataDir);
    try {
      fs.writeFileSync(file, "imprint", { flush: true });
      fs.linkSync(file, link);
    } finally {
      for (const made of [link, file]) fs.rmSync(made, { force: true });
    }
  } catch (error) {
    const what = `DATA_DIR ${dataDir} cannot be used: `;
    if (isOfFullDisk(codeOf(error)))
      throw new Error(`${what}its disk is full (${codeOf(error)}). ${howToFree(path.join(dataDir, "postgres"))}`, {
        cause: error,
      });
    throw new Error(
      `${what}${codeOf(error)}. ` +
        "Set it to a folder on a local disk with free space in which this user may create files and hard links.",
      { cause: error },
    );
  }
}
