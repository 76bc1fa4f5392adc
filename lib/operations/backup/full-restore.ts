import { failureCode, isDatabaseUnavailable } from "@/db/failures";
import { describeFullDisk, isOfFullDisk } from "@/db/full-disk.mjs";
import { AppError, isAppError } from "@/lib/contract/errors";
import type { Manifest } from "./manifest";
import { megabytes } from "./progress";

/** A server that has no room for its log ends without an answer. */
function isFull(error: unknown, folder: string | undefined): boolean {
  const code = failureCode(error);
  if (code === "53100" || isOfFullDisk(code)) return true;
  return folder !== undefined && isDatabaseUnavailable(error) && describeFullDisk(folder) !== undefined;
}

/** Only a lower limit: indexes and PostgreSQL's log need room too. */
function sizeOf({ tables }: Manifest): string {
  const bytes = tables.reduce((sum, { diskBytes }) => sum + diskBytes, 0);
  return `The tables took ${megabytes(bytes)} where the backup was made; indexes and the log of the load take about as much again.`;
}

/**
 * Says of a restore that failed for lack of space, before its commit, what is missing and how to repeat it; any other
 * error is returned as it is.
 *
 * @param manifest undefined if it was not read yet
 * @param folder of the embedded database's files, which then holds nothing but the attempt
 */
export function explainFullRestore(
  error: unknown,
  manifest: Manifest | undefined,
  folder: string | undefined,
): unknown {
  if (isAppError(error) || !isFull(error, folder)) return error;
  const where = folder === undefined ? "the database" : folder;
  return new AppError("conflict", {
    message: [
      `The disk of ${where} is full (${failureCode(error)}): nothing was restored.`,
      ...(manifest ? [sizeOf(manifest)] : []),
      "Free space there, or choose a larger disk, and restore again.",
      // A server that crashed does not delete the files of the tables that it was filling.
      ...(folder === undefined ? [] : [`Remove ${folder} first: it contains only what this attempt has left.`]),
    ].join(" "),
    cause: error,
  });
}
