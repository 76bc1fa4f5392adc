import { tmpdir } from "node:os";

import { codeOf } from "@/db/failures";
import { makeOwnedFolder } from "@/db/owned-folder";

/**
 * Makes a folder that only this user may enter, and removes those that killed services have left.
 *
 * @throws Error naming the variable to change
 */
export function makeSocketFolder(): string {
  try {
    return makeOwnedFolder(tmpdir(), "imprint-pages-");
  } catch (cause) {
    throw new Error(
      `No folder can be made in ${tmpdir()} (${codeOf(cause)}). Set TMPDIR to a folder in which this user may create files.`,
      { cause },
    );
  }
}
