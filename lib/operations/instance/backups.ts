import type { LastBackup } from "@/lib/operations/backup";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";

const name = "backups";
const HOUR_SECONDS = 3_600;

const ageOf = (ageSeconds: number) =>
  ageSeconds < 2 * HOUR_SECONDS
    ? `${Math.round(ageSeconds / 60)} minutes`
    : `${Math.round(ageSeconds / HOUR_SECONDS)} hours`;

const describe = ({ file, ageSeconds, bytes }: LastBackup) =>
  `The newest backup is ${ageOf(ageSeconds)} old and has ${(bytes / 1e6).toFixed(1)} MB: ${file}.`;

/**
 * Whether scheduled backups are written.
 *
 * @param unwritable why this user cannot write into the folder; whoever runs `doctor` may not be the service's user
 */
export function describeBackups(
  found: LastBackup | "none" | "unreadable" | undefined,
  unwritable?: string,
): CheckResult {
  if (found === undefined)
    return warn(
      name,
      "The service writes no backups: BACKUP_DIR is not set.",
      "Set BACKUP_DIR and BACKUP_PASSPHRASE; or back up the database and the secrets by other means.",
    );
  if (found === "unreadable")
    return fail(
      name,
      "BACKUP_DIR cannot be read.",
      "Is it a folder, is its disk mounted, and may the user of the service read it? Until then no backup is written.",
    );
  if (unwritable !== undefined) {
    const isFine = found !== "none" && found.ok;
    const text = `${found === "none" ? "BACKUP_DIR has no backup yet." : describe(found)} This user may not write into BACKUP_DIR (${unwritable}).`;
    const fix =
      "Let the user of the service create files in it, or mount its disk writable; if this is another user, run doctor as the service's.";
    return isFine ? warn(name, text, fix) : fail(name, text, fix);
  }
  if (found === "none")
    return warn(
      name,
      "BACKUP_DIR has no backup yet.",
      "The first one is written soon after startup; if it failed, the log says why.",
    );
  if (found.ok) return ok(name, describe(found));
  return fail(
    name,
    `${describe(found)} A newer one is missing.`,
    `The log says why it failed; ${ADMIN_COMMAND} backup writes one now.`,
  );
}
