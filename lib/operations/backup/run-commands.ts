import { existsSync, statSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";

import { databaseFolder, requireDatabase } from "@/db/embedded-place";
import { AppError } from "@/lib/contract/errors";
import { env } from "@/lib/platform/env";
import { words } from "@/lib/platform/env-values";
import { hasFewCores, lowerPriorityOfThreads } from "@/lib/platform/lower-priority";
import { openBackupFolder } from "./backup-folder";
import { backupName } from "./domain/schedule";
import { compareTables } from "./digest-tables";
import { chooseEncryption, type Encryption, readIdentities, type Unlock } from "./encryption";
import type { Installation } from "./installation";
import { describeMissing, readSecrets, refuseOtherSecrets, storeSecrets } from "./installation-secrets";
import { createProgress } from "./progress";
import { verifyBackup } from "./read-backup";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

type Result = Record<string, unknown>;

const invalid = (message: string) => new AppError("invalid_request", { message });
const inSeconds = (milliseconds: number) => Number((milliseconds / 1000).toFixed(2));

const chooseKeys = (isUnencrypted: boolean): Encryption =>
  chooseEncryption({
    passphrase: env.BACKUP_PASSPHRASE,
    recipients: words(env.BACKUP_RECIPIENTS),
    isUnencrypted,
  });

const unlockWith = async ({ callerFolder }: Installation, identity: string | undefined): Promise<Unlock> => ({
  passphrase: env.BACKUP_PASSPHRASE,
  ...(identity === undefined ? {} : { identities: await readIdentities(resolve(callerFolder, identity)) }),
});

/** Path of the backup file; in a folder, its name contains the time. */
function chooseFile({ callerFolder }: Installation, to: string | undefined): string {
  if (to === undefined && env.BACKUP_DIR === undefined)
    throw invalid("Say where to write the backup with --to FILE, or set BACKUP_DIR");
  const path = to === undefined ? openBackupFolder(env.BACKUP_DIR ?? "") : resolve(callerFolder, to);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? join(path, backupName(new Date())) : path;
}

async function verify(installation: Installation, file: string, identity: string | undefined): Promise<Result> {
  const { manifest, end, bytes, tookMs } = await verifyBackup({
    file,
    unlock: await unlockWith(installation, identity),
    progress: createProgress(installation.output, "verify"),
  });
  const tables = Object.values(end.tables);
  return {
    verified: true,
    file,
    bytes,
    version: manifest.version,
    made_at: manifest.madeAt,
    migrations: manifest.migrations.length,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    seconds: inSeconds(tookMs),
  };
}

type BackupOptions = {
  to: string | undefined;
  from: string | undefined;
  identity: string | undefined;
  isVerified: boolean;
  isUnencrypted: boolean;
  /** Without the pauses that leave a machine with few cores to the service. */
  isAtFullSpeed: boolean;
};

/**
 * Writes a backup, or with `from` verifies an existing one.
 *
 * @throws AppError `invalid_request`, `conflict`
 */
export async function runBackup(installation: Installation, options: BackupOptions): Promise<Result> {
  const { to, from, identity, isVerified, isUnencrypted, isAtFullSpeed } = options;
  if (from !== undefined && (!isVerified || to !== undefined))
    throw invalid("--from FILE can only be used with --verify: it reads that backup and writes none");
  if (from !== undefined) return await verify(installation, resolve(installation.callerFolder, from), identity);
  const encryption = chooseKeys(isUnencrypted);
  const needsIdentity = isVerified && encryption.kind === "recipients" && identity === undefined;
  if (needsIdentity) throw invalid("--verify needs --identity FILE: without the age key nobody can read the backup");
  if (installation.isEmbedded) requireDatabase(installation.dataDir);
  // In favour of the service on this machine.
  lowerPriorityOfThreads(constants.priority.PRIORITY_LOW);
  const file = chooseFile(installation, to);
  const secrets = readSecrets(installation);
  const databaseUrl = await installation.openServer();
  const problems = await installation.compareSecrets(databaseUrl, secrets);
  if (problems.length > 0) throw new AppError("conflict", { message: problems.join("\n") });
  const { version, output, signal, migrationsFolder } = installation;
  const progress = createProgress(output, "backup");
  const made = await writeBackup({
    databaseUrl,
    file,
    version,
    migrationsFolder,
    secrets,
    encryption,
    progress,
    signal,
    isPaced: hasFewCores() && !isAtFullSpeed,
    ...(installation.isEmbedded ? { databaseFolder: databaseFolder(installation.dataDir) } : {}),
  });
  const { bytes, tables, rows, contentBytes, tookMs, leftOut } = made;
  return {
    file,
    bytes,
    tables,
    rows,
    content_bytes: contentBytes,
    seconds: inSeconds(tookMs),
    left_out: leftOut.join(", ") || null,
    encrypted: encryption.kind !== "none",
    verified: isVerified && (await verify(installation, file, identity))["verified"] === true,
  };
}

type RestoreOptions = {
  from: string;
  identity: string | undefined;
  isVerified: boolean;
  /** Called once the backup is restored; what follows can be repeated by a start of the service. */
  onCommitted: () => void;
};

/**
 * Restores a backup into this installation, which must be empty.
 *
 * @throws AppError `invalid_request`, `conflict`
 */
export async function runRestore(
  installation: Installation,
  { from, identity, isVerified, onCommitted }: RestoreOptions,
): Promise<Result> {
  const file = resolve(installation.callerFolder, from);
  const { migrationsFolder, output, signal } = installation;
  const unlock = await unlockWith(installation, identity);
  if (!existsSync(file)) throw invalid(`${file} does not exist.`);
  installation.claim();
  const databaseUrl = await installation.openServer();
  const { manifest, secrets, end, tookMs } = await restoreBackup({
    file,
    unlock,
    progress: createProgress(output, "restore"),
    databaseUrl,
    migrationsFolder,
    signal,
    onCommitted,
    checkSecrets(found) {
      refuseOtherSecrets(installation, found);
    },
    storeSecrets(found) {
      storeSecrets(installation, found);
    },
    ...(installation.isEmbedded ? { databaseFolder: databaseFolder(installation.dataDir) } : {}),
    ...(isVerified ? { beforeMigrations: (end) => compareTables(databaseUrl, end) } : {}),
  });
  return {
    restored: true,
    verified: isVerified,
    file,
    version: manifest.version,
    made_at: manifest.madeAt,
    rows: Object.values(end.tables).reduce((sum, { rows }) => sum + rows, 0),
    seconds: inSeconds(tookMs),
    next: describeMissing(installation, secrets) ?? "Start the service",
  };
}
