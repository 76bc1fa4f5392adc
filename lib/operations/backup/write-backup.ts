import { constants } from "node:os";
import { dirname } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { lowerPriority, schedulerOf } from "@/lib/platform/lower-priority";
import { writeArchive } from "./archive-writer";
import { createSpaceCheck, lastSize } from "./backup-space";
import type { Encryption } from "./encryption";
import { type BackupSecrets, type Content, ENTRIES, type End, FORMAT, Manifest, type Table } from "./manifest";
import { createPace } from "./pace";
import { megabytes, type Progress } from "./progress";
import { listOwnTables } from "./queries-migrations";
import { type Snapshot, withSnapshot } from "./queries-snapshot";
import { failWhenStalled } from "./stall";

export type BackupInput = {
  databaseUrl: string;
  file: string;
  version: string;
  /** Tables that these migrations do not create are left out, since a restore could not create them. */
  migrationsFolder: string;
  secrets: BackupSecrets;
  encryption: Encryption;
  progress: Progress;
  signal?: AbortSignal;
  /** Leaves three quarters of the time to other processes. */
  isPaced?: boolean;
  /** Of the files of an embedded database that is in use meanwhile. */
  databaseFolder?: string;
};

export type Backup = {
  /** Tables that are not Imprint's. */
  leftOut: string[];
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  contentBytes: number;
  tookMs: number;
};

/** Measures progress by the tables' size on disk. */
function createMeter(tables: readonly Table[], progress: Progress) {
  const total = tables.reduce((sum, { diskBytes }) => sum + diskBytes, 0) || 1;
  let [finished, current] = [0, 0];
  return {
    read(table: Table, bytes: number) {
      current += bytes;
      progress.at((finished + Math.min(current, table.diskBytes)) / total, `${table.name}  ${megabytes(current)}`);
    },
    finish(table: Table, { rows, bytes }: Content) {
      [finished, current] = [finished + table.diskBytes, 0];
      if (rows > 0) progress.done(`${table.name}: ${rows} rows, ${megabytes(bytes)}`);
    },
  };
}

function manifestOf({ postgres, migrations }: Snapshot, tables: Table[], version: string): Manifest {
  if (migrations.length === 0)
    throw new AppError("conflict", { message: "The database contains no Imprint installation: nothing to back up." });
  const madeAt = new Date().toISOString();
  // Validated now, so that a restore does not find out later.
  return Manifest.parse({ product: "imprint", format: FORMAT, version, madeAt, postgres, migrations, tables });
}

/**
 * Writes a backup of the database and the secrets while the service runs, with all tables as of one instant.
 *
 * @throws AppError `conflict` if the file exists, the database is empty or the disk has no room
 */
export async function writeBackup(input: BackupInput): Promise<Backup> {
  const { databaseUrl, file, version, secrets, encryption, progress, signal, migrationsFolder, databaseFolder } = input;
  const pause = input.isPaced === true ? createPace() : undefined;
  const startedAt = performance.now();
  const contents: Record<string, Content> = {};
  const leftOut: string[] = [];
  const bytes = await withSnapshot(databaseUrl, async (snapshot) => {
    // Only an embedded server is sure to run on this machine.
    if (databaseFolder !== undefined) lowerPriority(constants.priority.PRIORITY_LOW, schedulerOf(snapshot.serverPid));
    const own = listOwnTables(migrationsFolder);
    const isOwn = ({ name, partition }: Table) => own.has(partition?.of ?? name);
    leftOut.push(...snapshot.tables.filter((table) => !isOwn(table)).map(({ name }) => name));
    for (const name of leftOut) progress.done(`${name} is left out: it is not a table of Imprint`);
    const manifest = manifestOf(snapshot, snapshot.tables.filter(isOwn), version);
    const meter = createMeter(manifest.tables, progress);
    const database = databaseFolder === undefined ? undefined : { folder: databaseFolder, logBytes: snapshot.logBytes };
    const checkSpace = createSpaceCheck({ folder: dirname(file), database });
    await checkSpace({ lastBytes: await lastSize(dirname(file)) });
    return await writeArchive({ file, encryption, signal, checkSpace, pause }, async (archive) => {
      const manifestSha256 = await archive.add(ENTRIES.manifest, JSON.stringify(manifest));
      const secretsSha256 = await archive.add(ENTRIES.secrets, JSON.stringify(secrets));
      for (const table of manifest.tables) {
        const rows = await snapshot.read(table);
        const { touch } = failWhenStalled(rows, `reading ${table.name}`);
        const content = await archive.addLines(ENTRIES.data + table.name, rows, (count) => {
          touch();
          meter.read(table, count);
        });
        contents[table.name] = content;
        meter.finish(table, content);
      }
      const sequences = await snapshot.readSequences();
      const end: End = { manifestSha256, secretsSha256, tables: contents, sequences };
      await archive.add(ENTRIES.end, JSON.stringify(end));
    });
  });
  progress.end();
  const all = Object.values(contents);
  return {
    file,
    bytes,
    leftOut,
    tables: all.length,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    contentBytes: all.reduce((sum, content) => sum + content.bytes, 0),
    tookMs: performance.now() - startedAt,
  };
}
