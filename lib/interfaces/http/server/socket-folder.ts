import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { codeOf } from "@/db/failures";

/**
 * Makes a folder that only this user may enter.
 *
 * @throws Error naming the variable to change
 */
export function makeSocketFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "imprint-pages-"));
  } catch (cause) {
    throw new Error(
      `No folder can be made in ${tmpdir()} (${codeOf(cause)}). Set TMPDIR to a folder in which this user may create files.`,
      { cause },
    );
  }
}
