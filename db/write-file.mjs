// Plain JavaScript, because scripts take locks before anything is built.
import { randomBytes } from "node:crypto";
import fs from "node:fs";

/**
 * Writes a file that appears whole or not at all, even after a power failure. A failed write leaves nothing, and its
 * error names the file, which Node's own does not.
 *
 * @param {string} file @param {string | Uint8Array} content
 * @param {{ mode: number, isNew?: boolean }} options With `isNew`, an existing file is kept and EEXIST is thrown.
 */
export function writeWholeFile(file, content, { mode, isNew = false }) {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    fs.writeFileSync(draft, content, { mode, flush: true });
    if (isNew) fs.linkSync(draft, file);
    else fs.renameSync(draft, file);
  } catch (error) {
    if (error instanceof Error && !("path" in error)) error.message += ` '${file}'`;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}
