import { migrateDatabase } from "@/db/migrate";
import { AppError } from "@/lib/contract/errors";
import { migrateTo } from "./earlier-schema";
import { explainFullRestore } from "./full-restore";
import type { BackupSecrets, End, Manifest } from "./manifest";
import { clearForRestore, openLoader, type OpenLoader } from "./queries-load";
import { readMigrations } from "./queries-migrations";
import { readBackup, type ReadInput, type ReadResult } from "./read-backup";

export type RestoreInput = ReadInput & {
  databaseUrl: string;
  migrationsFolder: string;
  /** Refuses secrets that the service would not use; called before anything is changed. */
  checkSecrets: (secrets: BackupSecrets) => void;
  /**
   * Stores the secrets where the service reads them; called once the backup is known to be complete, before the commit.
   */
  storeSecrets: (secrets: BackupSecrets) => void;
  /** Aborted by an interruption, which ends a restore until it is committed. */
  signal?: AbortSignal;
  onCommitted?: () => void;
  /** Of the embedded database's files; undefined for a server of one's own. */
  databaseFolder?: string;
  /** Checks the restored rows before this release's migrations change them. */
  beforeMigrations?: (end: End) => Promise<void>;
};

/** @throws AppError `conflict` if this release does not know the backup's schema */
function refuseUnknownSchema({ migrations, version }: Manifest, migrationsFolder: string): void {
  const known = readMigrations(migrationsFolder);
  if (migrations.every(({ at, hash }, index) => known[index]?.at === at && known[index].hash === hash)) return;
  const isNewer = migrations.length > known.length;
  throw new AppError("conflict", {
    message: isNewer
      ? `The backup was made by release ${version} of Imprint, which is newer than this one: install that release, or a later one, and restore with it.`
      : `The backup was made by a build of Imprint (${version}) with a schema that no release has: restore it with that build.`,
  });
}

/**
 * Restores a backup of this or an earlier release into an empty installation, and migrates the schema to this release.
 * Nothing is committed until all of the backup has been read and found complete.
 *
 * @throws AppError `conflict` if the installation is not empty or the backup is from a newer release, `invalid_request`
 * if the backup is incomplete or cannot be opened, `conflict` if there is no space for it
 */
export async function restoreBackup(input: RestoreInput): Promise<ReadResult> {
  const { databaseUrl, migrationsFolder, checkSecrets, storeSecrets, signal } = input;
  let opened: OpenLoader | undefined;
  let known: Manifest | undefined;
  let isCommitted = false;
  const loader = () => {
    if (!opened) throw new Error("rows came before the manifest");
    return opened;
  };
  try {
    const result = await readBackup(input, {
      async start(manifest, secrets) {
        known = manifest;
        refuseUnknownSchema(manifest, migrationsFolder);
        checkSecrets(secrets);
        await clearForRestore(databaseUrl);
        await migrateTo(databaseUrl, migrationsFolder, manifest.migrations.length);
        signal?.throwIfAborted();
        opened = await openLoader(databaseUrl);
        await opened.open(manifest.tables);
      },
      take(table, lines) {
        signal?.throwIfAborted();
        return loader().write(table, lines);
      },
      finishTable: (table, { rows }) => loader().finish(table, rows),
    });
    await loader().close(result.end.sequences);
    signal?.throwIfAborted();
    storeSecrets(result.secrets);
    await loader().commit();
    isCommitted = true;
    input.onCommitted?.();
    await loader().analyze();
    await input.beforeMigrations?.(result.end);
    await migrateDatabase(databaseUrl, migrationsFolder);
    return result;
  } catch (error) {
    throw isCommitted ? error : explainFullRestore(error, known, input.databaseFolder);
  } finally {
    await opened?.abort();
  }
}
