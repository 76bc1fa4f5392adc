import type { LastBackup } from "@/lib/operations/backup";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import type { Fact } from "./domain/fact";

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
export function describeBackups(found: LastBackup | "none" | "unreadable" | undefined, unwritable?: string): Fact {
  if (found === undefined)
    return {
      name,
      status: "warn",
      text: "The service writes no backups: BACKUP_DIR is not set.",
      fix: "Set BACKUP_DIR and BACKUP_PASSPHRASE; or back up the database and the secrets by other means.",
    };
  if (found === "unreadable")
    return {
      name,
      status: "fail",
      text: "BACKUP_DIR cannot be read.",
      fix: "Is it a folder, is its disk mounted, and may the user of the service read it? Until then no backup is written.",
    };
  if (unwritable !== undefined) {
    const isFine = found !== "none" && found.ok;
    return {
      name,
      status: isFine ? "warn" : "fail",
      text: `${found === "none" ? "BACKUP_DIR has no backup yet." : describe(found)} This user may not write into BACKUP_DIR (${unwritable}).`,
      fix: "Let the user of the service create files in it, or mount its disk writable; if this is another user, run doctor as the service's.",
    };
  }
  if (found === "none")
    return {
      name,
      status: "warn",
      text: "BACKUP_DIR has no backup yet.",
      fix: "The first one is written soon after startup; if it failed, the log says why.",
    };
  if (found.ok) return { name, status: "ok", text: describe(found) };
  return {
    name,
    status: "fail",
    text: `${describe(found)} A newer one is missing.`,
    fix: `The log says why it failed; ${ADMIN_COMMAND} backup writes one now.`,
  };
}
