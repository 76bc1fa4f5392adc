import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createBrotliDecompress } from "node:zlib";

import { extract } from "tar-stream";

import { AppError, isAppError } from "@/lib/contract/errors";
import { decrypt, type Unlock } from "./encryption";

/** The header of an encrypted file lists the types of its recipients. */
const HEAD_BYTES = 1024;
const READ_BYTES = 256 * 1024;

/** Far above the size of any entry that the writer creates, so that a forged size is not read into memory. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024;

export type Entry = { name: string; content: Buffer };

export const damaged = (file: string, what: string, cause?: unknown) =>
  new AppError("invalid_request", {
    message: `${file} is not a complete Imprint backup (${what}): it was truncated or altered, or is something else. Use another backup.`,
    cause,
  });

async function readHead(file: string): Promise<string> {
  const handle = await open(file, "r").catch((cause: unknown) => {
    const message = `${file} cannot be read: ${cause instanceof Error ? cause.message : "unknown reason"}.`;
    throw new AppError("invalid_request", { message, cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a backup entry by entry, in constant memory.
 *
 * @throws AppError `invalid_request` if the file cannot be opened, is truncated or was altered
 */
export async function* readArchive(
  file: string,
  unlock: Unlock,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<Entry> {
  const head = await readHead(file);
  const source = createReadStream(file, { highWaterMark: READ_BYTES });
  source.on("data", (chunk) => {
    onBytes(chunk.length);
  });
  source.pause();
  const decompressor = createBrotliDecompress();
  const archive = extract();
  try {
    const plain = await decrypt(source, head, unlock);
    let failure: Error | undefined;
    pipeline(plain, decompressor, archive, (error) => {
      failure = error ?? undefined;
    });
    for await (const entry of archive) {
      const { name, size } = entry.header;
      if (size > MAX_ENTRY_BYTES) throw new Error(`${name} claims ${size} bytes`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      yield { name, content: Buffer.concat(chunks) };
    }
    if (failure) throw failure;
    if (decompressor.bytesWritten === 0) throw new Error("it is empty");
  } catch (error) {
    if (isAppError(error)) throw error;
    throw damaged(file, error instanceof Error ? error.message : String(error), error);
  } finally {
    source.destroy();
  }
}
