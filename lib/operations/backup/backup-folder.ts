import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";

import { codeOf } from "@/db/failures";
import { makeFolder } from "@/db/make-folder.mjs";
import { AppError } from "@/lib/contract/errors";

/** What a backup does in its folder: list the others, create a file and rename it. */
const USES = constants.R_OK | constants.W_OK | constants.X_OK;

/**
 * Creates the folder of `BACKUP_DIR` unless it exists; returns its path.
 *
 * @throws AppError `conflict` that names the variable if no backup can be written there
 */
export function openBackupFolder(given: string): string {
  const folder = resolve(given);
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, USES);
    return folder;
  } catch (error) {
    throw new AppError("conflict", {
      message: `BACKUP_DIR ${folder} cannot be used: ${codeOf(error)}. Set it to a folder on a mounted disk with free space, in which the user of the service may create files.`,
      cause: error,
    });
  }
}

/** Why this process's user could not write a backup into a folder, without creating it; undefined if it could. */
export function whyUnwritable(folder: string): string | undefined {
  try {
    accessSync(folder, USES);
    return undefined;
  } catch (error) {
    const parent = dirname(folder);
    return codeOf(error) === "ENOENT" && parent !== folder ? whyUnwritable(parent) : codeOf(error);
  }
}
