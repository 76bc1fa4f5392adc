import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { oncePerRun } from "@/lib/platform/share-runs";
import type { MemoryFile } from "./component-files";

/** Reads the current version of a document. */
export type ReadDocument = () => Promise<MemoryFile>;

/** Time before a document is read again. */
const FRESH_MS = 1_000;
const compress = promisify(gzip);

async function makeFile(contentType: string, text: string): Promise<MemoryFile> {
  const plain = Buffer.from(text);
  return {
    contentType,
    cacheControl: "public, max-age=60",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 24)}"`,
    plain,
    encoded: { gzip: await compress(plain, { level: 9 }) },
  };
}

/**
 * Keeps a document that seldom changes in memory, so that serving it costs no more than a file. It is read at most once
 * a second; concurrent requests share one read.
 */
export function openDocument(contentType: string, read: () => Promise<string>): ReadDocument {
  let made: { text: string; file: MemoryFile } | undefined;
  let checkedAt = 0;
  const check = oncePerRun(async (): Promise<MemoryFile> => {
    const text = await read();
    if (made?.text !== text) made = { text, file: await makeFile(contentType, text) };
    checkedAt = performance.now();
    return made.file;
  });
  return async () => (made && performance.now() - checkedAt < FRESH_MS ? made.file : check());
}
