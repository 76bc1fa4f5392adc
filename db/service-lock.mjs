// Plain JavaScript: `npm start` looks at this lock before anything is built.
import fs from "node:fs";

import { lockHolder, tryLock } from "./file-lock.mjs";

const NAME = "service";

/**
 * The address of the service that runs on `dataDir`; undefined when none does, or none that has started.
 *
 * @param {string} dataDir
 * @returns {string | undefined}
 */
export function addressOfService(dataDir) {
  const address = fs.existsSync(dataDir) ? lockHolder(dataDir, NAME)?.info["address"] : undefined;
  return typeof address === "string" ? address : undefined;
}

/**
 * Why a service cannot start on `dataDir` now, in words; undefined when it can.
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
    "Use that one, stop it first, or start a second installation with a DATA_DIR and a PORT of its own."
  );
}

/**
 * Claims `dataDir` for the service of this process. The claim of a killed service counts no longer.
 *
 * @param {string} dataDir
 */
export function claimDataDir(dataDir) {
  const lock = tryLock(dataDir, NAME);
  if (!lock) throw new Error(whyOccupied(dataDir) ?? `Another service is starting on ${dataDir} at this moment.`);
  return lock;
}
