import { createWriteStream } from "node:fs";
import { lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress } from "node:zlib";

import { pack } from "tar-stream";

import { codeOf } from "@/db/failures";
import { isOfFullDisk } from "@/db/full-disk.mjs";
import { AppError } from "@/lib/contract/errors";
import { createContent, sha256Of } from "./content";
import { encrypt, type Encryption } from "./encryption";
import type { Content } from "./manifest";

/** Approximate size of a table's entries. Tables are split, because an entry's header states its length. */
const PART_BYTES = 1024 * 1024;

/** Faster than gzip and a third smaller on this data: see decision 50. */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

/** How much is written between two checks of the free space. */
const CHECK_EVERY_BYTES = 8 * 1024 * 1024;

export type ArchiveWriter = {
  /** Adds a small entry; resolves to its SHA-256. */
  add: (name: string, text: string) => Promise<string>;
  /** Adds a stream of rows as entries below `folder`. */
  addLines: (folder: string, lines: Readable, onBytes: (bytes: number) => void) => Promise<Content>;
};

function writerOf(archive: ReturnType<typeof pack>, failed: Promise<never>, pause: Target["pause"]): ArchiveWriter {
  // Resolves when the entry has been written to the file, so that nothing accumulates in memory.
  const addEntry = (name: string, content: Buffer) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => {
        const entry = archive.entry({ name, mode: 0o600 }, content, (error) => {
          if (error) reject(error);
          else resolve();
        });
        // If the file cannot be written, the entry fails too, and an error without a listener ends the process.
        entry.on("error", reject);
      }),
    ]);
  return {
    async add(name, text) {
      await addEntry(name, Buffer.from(text));
      return sha256Of(text);
    },
    async addLines(folder, lines, onBytes) {
      const content = createContent();
      let part: Buffer[] = [];
      let [partBytes, parts] = [0, 0];
      // The next part is read while this one is being compressed and written.
      let written: Promise<void> = Promise.resolve();
      const flush = async () => {
        await written;
        if (partBytes === 0) return;
        parts += 1;
        written = addEntry(`${folder}/${String(parts).padStart(8, "0")}`, Buffer.concat(part));
        written.catch(() => undefined);
        [part, partBytes] = [[], 0];
      };
      for await (const chunk of lines as AsyncIterable<Buffer>) {
        content.add(chunk);
        part.push(chunk);
        partBytes += chunk.length;
        onBytes(chunk.length);
        if (partBytes < PART_BYTES) continue;
        await flush();
        if (!pause) continue;
        await written;
        await pause();
      }
      await flush();
      await written;
      return content.finish();
    },
  };
}

/** Passes chunks on, and fails as soon as the check does. */
function watch(check: Target["checkSpace"]): Transform {
  let [writtenBytes, checkedBytes] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = () => {
        writtenBytes += chunk.length;
        done(null, chunk);
      };
      if (writtenBytes - checkedBytes < CHECK_EVERY_BYTES) {
        pass();
        return;
      }
      checkedBytes = writtenBytes;
      check({ writtenBytes }).then(pass, done);
    },
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Node's error of a failed write names no file. The folder of a full disk is what an operator needs to know. */
function explain(error: unknown, file: string): unknown {
  const code = codeOf(error);
  const folder = dirname(file);
  if (isOfFullDisk(code))
    return new AppError("conflict", {
      message: `The disk of ${folder} is full (${code}): no backup was written, and nothing is left of it. Free space there, or choose another folder.`,
      cause: error,
    });
  if (code === "ENOENT")
    return new AppError("conflict", {
      message: `${folder} does not exist, or is not a folder in which files can be created (${code}). Is its disk mounted?`,
      cause: error,
    });
  return error;
}

type Target = {
  file: string;
  encryption: Encryption;
  signal: AbortSignal | undefined;
  /** Called repeatedly while the file grows; ends the writing if it rejects. */
  checkSpace: (progress: { writtenBytes: number }) => Promise<void>;
  /** Awaited after each part of a table. */
  pause?: (() => Promise<void>) | undefined;
};

/**
 * Writes `file`: a tar archive, compressed with brotli and encrypted with age. It appears under its name only when it
 * is complete and flushed to disk. Returns its size.
 *
 * @throws AppError `conflict` if the file exists
 */
export async function writeArchive(
  { file, encryption, signal, checkSpace, pause }: Target,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<number> {
  if (await lstat(file).catch(() => undefined))
    throw new AppError("conflict", { message: `${file} exists; a backup never replaces a file. Choose another name.` });
  const draft = `${file}.${process.pid}.part`;
  const archive = pack();
  try {
    const target = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    const compressed = createBrotliCompress(COMPRESSION);
    // Both are awaited below; if one fails, the other ends.
    const compressing = pipeline(archive, compressed);
    const encrypted = await encrypt(compressed, encryption);
    const written = pipeline(encrypted, watch(checkSpace), target, signal ? { signal } : {});
    const failed = new Promise<never>((_resolve, reject) => {
      compressing.catch(reject);
      written.catch(reject);
    });
    failed.catch(() => undefined);
    await fill(writerOf(archive, failed, pause));
    archive.finalize();
    await Promise.all([compressing, written]);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return (await stat(file)).size;
  } catch (error) {
    archive.destroy();
    await rm(draft, { force: true });
    throw explain(error, file);
  }
}
