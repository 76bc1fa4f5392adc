import { randomBytes } from "node:crypto";
import { open, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

import { RESERVE } from "./full-disk.mjs";

const MEBIBYTE = 1024 * 1024;
/** Room for four segments of PostgreSQL's log: a recovery needs one, and what deletes a few more. */
const RESERVE_BYTES = 64 * MEBIBYTE;
/** The reserve is only made while it takes a small part of what is free. */
const LEAST_FREE = 16;

async function write(file: string, bytes: number): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    // Random, so that a file system that compresses does not store less.
    const block = randomBytes(MEBIBYTE);
    for (let written = 0; written < bytes; written += block.length) await handle.write(block);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Keeps a file next to a database that an operator can remove when the disk is full: without room for its log PostgreSQL
 * does not even start, so nothing could be deleted. Does nothing on a disk with little room.
 */
export async function keepReserve(folder: string, bytes = RESERVE_BYTES): Promise<"made" | "kept" | "no room"> {
  const file = join(folder, RESERVE);
  if ((await stat(file).catch(() => undefined))?.size === bytes) return "kept";
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes * LEAST_FREE) return "no room";
  const draft = `${file}.new`;
  try {
    await write(draft, bytes);
    await rename(draft, file);
    return "made";
  } finally {
    await rm(draft, { force: true });
  }
}
