// Plain JavaScript, because `npm start` checks this lock before anything is built.
import fs from "node:fs";

import { lockHolder, tryLock } from "./file-lock.mjs";
import { makeFolder } from "./make-folder.mjs";

const NAME = "service";

/**
 * URL of the service running on `dataDir`; undefined if there is none or it is still starting.
 *
 * @param {string} dataDir
 * @returns {string | undefined}
 */
export function addressOfService(dataDir) {
  const address = fs.existsSync(dataDir) ? lockHolder(dataDir, NAME)?.info["address"] : undefined;
  return typeof address === "string" ? address : undefined;
}

/**
 * Whether another process runs or starts the service on `dataDir`, as far as it can be determined.
 *
 * @param {string} dataDir
 */
export function isServedByAnother(dataDir) {
  try {
    return (lockHolder(dataDir, NAME)?.pid ?? process.pid) !== process.pid;
  } catch {
    return false;
  }
}

/**
 * Explains why a service cannot start on `dataDir` now; undefined if it can.
 *
 * @param {string} dataDir
 * @returns {string | undefined}
 */
export function whyOccupied(dataDir) {
  const holder = lockHolder(dataDir, NAME);
  if (!holder) return undefined;
  const address = holder.info["address"];
  return (
    `Imprint is already running on ${dataDir}: process ${holder.pid}, ${typeof address === "string" ? `address ${address}` : "still starting"}. ` +
    "Use that one, stop it first, or start a second installation with a different DATA_DIR and PORT."
  );
}

/**
 * Claims `dataDir` for the service of this process. A killed service's claim no longer counts.
 *
 * @param {string} dataDir
 */
export function claimDataDir(dataDir) {
  makeFolder(dataDir);
  const lock = tryLock(dataDir, NAME);
  if (!lock) throw new Error(whyOccupied(dataDir) ?? `Another service is starting on ${dataDir} at this moment.`);
  return lock;
}
