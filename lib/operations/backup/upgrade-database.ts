import { rmSync } from "node:fs";
import { join, resolve } from "node:path";

import { createSuccessor, openOutdated } from "@/db/embedded-upgrade";
import { AppError } from "@/lib/contract/errors";
import { compareTables } from "./digest-tables";
import type { Installation } from "./installation";
import { readSecrets } from "./installation-secrets";
import { createProgress, megabytes } from "./progress";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

type Result = Record<string, unknown>;

/** Rethrows startup errors as `conflict` with their own message. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new AppError("conflict", { message: error instanceof Error ? error.message : String(error), cause: error });
  });

/** The secrets stay where they are. */
const KEEP_SECRETS = { checkSecrets: () => undefined, storeSecrets: () => undefined };

/** The new server. Ctrl-C stops it at once: a statement may take longer than the process waits for. */
async function openSuccessor({ dataDir, binDir, signal }: Installation) {
  const successor = await told(createSuccessor({ dataDir, binDir }));
  signal.addEventListener("abort", () => void successor.stop());
  return successor;
}

/**
 * Upgrades the embedded database from the PostgreSQL major version that created it to that of the current programs, by
 * backup and restore. The old database is kept.
 *
 * @throws AppError `conflict` if there is nothing to do, the service is running or programs are missing
 */
export async function upgradeDatabase(
  installation: Installation,
  { programs }: { programs: string | undefined },
): Promise<Result> {
  const { dataDir, binDir, isEmbedded, callerFolder, migrationsFolder, version, output, signal } = installation;
  if (!isEmbedded)
    throw new AppError("conflict", {
      message:
        "DATABASE_URL is a server of your own; upgrade it with PostgreSQL's tools: pg_upgrade, or dump and restore.",
    });
  const secrets = readSecrets(installation);
  installation.claim();
  const given = programs === undefined ? undefined : resolve(callerFolder, programs);
  const outdated = await told(openOutdated({ dataDir, programs: given, binDir }));
  const file = join(dataDir, `upgrade-from-${outdated.major}.backup`);
  rmSync(file, { force: true });
  try {
    // Next to the data itself, accessible to the same user, and deleted at the end; therefore not encrypted.
    const backup = {
      databaseUrl: outdated.url,
      file,
      version,
      migrationsFolder,
      secrets,
      encryption: { kind: "none" },
      signal,
    } as const;
    const made = await writeBackup({ ...backup, progress: createProgress(output, "read") });
    await outdated.stop();
    const successor = await openSuccessor(installation);
    try {
      await restoreBackup({
        file,
        unlock: {},
        progress: createProgress(output, "write"),
        databaseUrl: successor.url,
        migrationsFolder,
        signal,
        ...KEEP_SECRETS,
        beforeMigrations: (end) => compareTables(successor.url, end),
      });
      const { folder, former } = await successor.adopt();
      return {
        upgraded: true,
        from: outdated.major,
        to: successor.major,
        rows: made.rows,
        left_out: made.leftOut.join(", ") || null,
        size: megabytes(made.contentBytes),
        folder,
        former,
        next: `Start the service; when all is well, remove the old database: rm -r ${former}`,
      };
    } finally {
      await successor.stop();
    }
  } finally {
    await outdated.stop();
    rmSync(file, { force: true });
  }
}
