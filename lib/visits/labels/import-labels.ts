import type { Context } from "@/lib/platform/context";
import { AppError, isAppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { parseLabelFile, type Problem } from "./domain/parse-label-file";
import { applyLabel } from "./set-label";

export type LabelImport = { changed: number; unchanged: number; problems: Problem[] };

/**
 * Sets the labels of a CSV file row by row. Invalid rows are reported with their line and do not prevent others from
 * being applied, so a corrected file can be sent whole.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request` if the file as a whole is invalid
 */
export async function importLabels(
  context: Context,
  { workspaceId, csv }: { workspaceId: string; csv: string },
  onRow: (done: number, total: number) => void = () => undefined,
): Promise<LabelImport> {
  const access = await authorize(context, workspaceId, "label.use");
  const file = parseLabelFile(csv);
  if (typeof file === "string") throw new AppError("invalid_request", { message: file });
  const result: LabelImport = { changed: 0, unchanged: 0, problems: [...file.problems] };
  for (const [index, { line, ...row }] of file.rows.entries()) {
    try {
      const { label, previous } = await applyLabel(context, access, row);
      if (label === previous) result.unchanged += 1;
      else result.changed += 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
      result.problems.push({ line, problem: error.message });
    }
    onRow(index + 1, file.rows.length);
  }
  result.problems.sort((a, b) => a.line - b.line);
  return result;
}
