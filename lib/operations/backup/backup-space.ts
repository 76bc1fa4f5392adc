import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { listBackups } from "./last-backup";
import { megabytes } from "./progress";

/** Required free space for a backup, as a multiple of the last one's size. */
const HEADROOM = 1.5;

type Disk = { device: number; freeBytes: number };

type SpaceInput = {
  /** Folder of the backup. */
  folder: string;
  /** Files of a database on this machine, and the size up to which its log may grow before a checkpoint removes any. */
  database: { folder: string; logBytes: number } | undefined;
  readDisk?: (folder: string) => Promise<Disk>;
};

/** Of a backup: the size of the last one before it begins, and how much of it is written afterwards. */
type Sizes = { lastBytes?: number; writtenBytes?: number };

async function diskOf(folder: string): Promise<Disk> {
  const [{ dev }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
  return { device: dev, freeBytes: bavail * bsize };
}

/** Size of the newest backup in `folder`; 0 if there is none, or if it cannot be determined. */
export async function lastSize(folder: string): Promise<number> {
  const [newest] = await listBackups(folder, new Date()).catch(() => []);
  const found = newest && (await stat(join(folder, newest.name)).catch(() => undefined));
  return found?.size ?? 0;
}

/**
 * Creates a check that the disk has room for a backup as large as the last one, and that a database on the same disk
 * keeps room for its log: PostgreSQL ends if it cannot write that. A disk that cannot be measured passes.
 */
export function createSpaceCheck({ folder, database, readDisk = diskOf }: SpaceInput) {
  const read = (path: string) => readDisk(path).catch(() => undefined);
  /** @throws AppError `conflict` that says how much is free, how much is needed and what to do */
  return async ({ lastBytes = 0, writtenBytes = 0 }: Sizes): Promise<void> => {
    const disk = await read(folder);
    if (!disk) return;
    const isShared = database !== undefined && (await read(database.folder))?.device === disk.device;
    const keptBytes = isShared ? database.logBytes : 0;
    if (disk.freeBytes >= keptBytes + lastBytes * HEADROOM) return;
    const written = writtenBytes > 0 ? ` after the first ${megabytes(writtenBytes)} of the backup` : "";
    const needs = [
      ...(lastBytes > 0 ? [`the last backup took ${megabytes(lastBytes)}`] : []),
      ...(isShared ? [`${megabytes(keptBytes)} have to stay free for the database on the same disk`] : []),
    ];
    throw new AppError("conflict", {
      message: `${folder} has ${megabytes(disk.freeBytes)} free${written}, and ${needs.join(", and ")}: no backup was written, and none was deleted. Free space there, lower BACKUP_KEEP and delete old backups, or write it to another disk with --to or BACKUP_DIR.`,
    });
  };
}
