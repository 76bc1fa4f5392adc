import { stat } from "node:fs/promises";

/** What changes with the contents of a file that is replaced in one step; `undefined` when there is no file. */
export async function fileSignature(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return [ino, size, mtimeMs].join(" ");
  } catch {
    return undefined;
  }
}
