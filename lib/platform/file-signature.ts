import { stat } from "node:fs/promises";

/** Changes when a file is replaced; `undefined` when there is no file. */
export async function fileSignature(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return [ino, size, mtimeMs].join(" ");
  } catch {
    return undefined;
  }
}
