import { stat } from "node:fs/promises";

import { AppError } from "@/lib/contract/errors";
import { damaged, type Entry, readArchive } from "./archive-reader";
import { createContent, sha256Of } from "./content";
import type { Unlock } from "./encryption";
import { BackupSecrets, type Content, End, ENTRIES, FORMAT, Manifest, type Table } from "./manifest";
import { megabytes, type Progress } from "./progress";

export type ReadInput = { file: string; unlock: Unlock; progress: Progress };

/**
 * Receives a backup while it is read. It must not commit anything before the end, which shows that the backup is
 * complete.
 */
export type Receiver = {
  start: (manifest: Manifest, secrets: BackupSecrets) => Promise<void>;
  /** Some rows of a table. */
  take: (table: Table, lines: Buffer) => Promise<void>;
  finishTable: (table: Table, content: Content) => Promise<void>;
};

export type ReadResult = { manifest: Manifest; secrets: BackupSecrets; end: End; bytes: number; tookMs: number };

function parse<T>(file: string, { name, content }: Entry, schema: { parse: (value: unknown) => T }): T {
  try {
    return schema.parse(JSON.parse(content.toString("utf8")));
  } catch (error) {
    throw damaged(file, `its ${name} cannot be read`, error);
  }
}

const AnyFormat = { parse: (value: unknown) => Number(new Map(Object.entries(value ?? {})).get("format")) };

function readManifest(file: string, entry: Entry): Manifest {
  if (entry.name !== ENTRIES.manifest) throw damaged(file, "it does not start with a manifest");
  if (parse(file, entry, AnyFormat) > FORMAT)
    throw new AppError("conflict", { message: `${file} was written by a newer release of Imprint: install that one.` });
  return parse(file, entry, Manifest);
}

const partName = (table: Table, part: number) => `${ENTRIES.data}${table.name}/${String(part).padStart(8, "0")}`;

type Next = () => Promise<Entry>;

/** Reads the tables in the manifest's order; returns the content of each, and the entry that follows. */
async function readTables(next: Next, tables: readonly Table[], receiver: Receiver, progress: Progress) {
  const contents = new Map<string, Content>();
  let entry = await next();
  for (const table of tables) {
    const content = createContent();
    for (let part = 1; entry.name === partName(table, part); part += 1) {
      content.add(entry.content);
      await receiver.take(table, entry.content);
      entry = await next();
    }
    const finished = content.finish();
    contents.set(table.name, finished);
    await receiver.finishTable(table, finished);
    if (finished.rows > 0) progress.done(`${table.name}: ${finished.rows} rows, ${megabytes(finished.bytes)}`);
  }
  return { contents, last: entry };
}

/** Compares what was read with the end entry; a difference means that the file was altered. */
function compare(file: string, end: End, contents: ReadonlyMap<string, Content>): void {
  if (Object.keys(end.tables).length !== contents.size) throw damaged(file, "its end entry lists other tables");
  for (const [name, { rows, sha256 }] of contents) {
    const expected = end.tables[name];
    if (expected?.rows !== rows || expected.sha256 !== sha256) throw damaged(file, `${name} was altered`);
  }
}

/**
 * Reads a whole backup and verifies it: each table's row count and hash, and that it is complete.
 *
 * @throws AppError `invalid_request` if it is incomplete or cannot be opened, `conflict` if a newer release wrote it
 */
export async function readBackup({ file, unlock, progress }: ReadInput, receiver: Receiver): Promise<ReadResult> {
  const startedAt = performance.now();
  const bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  let readBytes = 0;
  const entries = readArchive(file, unlock, (count) => {
    readBytes += count;
    progress.at(readBytes / Math.max(1, bytes), megabytes(readBytes));
  });
  const next: Next = async () => {
    const read = await entries.next();
    if (read.done) throw damaged(file, "its end entry is missing");
    return read.value;
  };
  try {
    const [head, hidden] = [await next(), await next()];
    const manifest = readManifest(file, head);
    if (hidden.name !== ENTRIES.secrets) throw damaged(file, "its secrets are missing");
    const secrets = parse(file, hidden, BackupSecrets);
    await receiver.start(manifest, secrets);
    const { contents, last } = await readTables(next, manifest.tables, receiver, progress);
    if (last.name !== ENTRIES.end) throw damaged(file, `${last.name} is in an unexpected place`);
    const end = parse(file, last, End);
    compare(file, end, contents);
    if (end.manifestSha256 !== sha256Of(head.content) || end.secretsSha256 !== sha256Of(hidden.content))
      throw damaged(file, "its beginning was altered");
    // Read to the last byte, because encryption authenticates the final part.
    if (!(await entries.next()).done) throw damaged(file, "there is data after its end");
    return { manifest, secrets, end, bytes, tookMs: performance.now() - startedAt };
  } finally {
    await entries.return(undefined);
    progress.end();
  }
}

const DISCARD: Receiver = {
  start: () => Promise.resolve(),
  take: () => Promise.resolve(),
  finishTable: () => Promise.resolve(),
};

/** Reads and verifies a whole backup without storing anything. */
export const verifyBackup = (input: ReadInput): Promise<ReadResult> => readBackup(input, DISCARD);
