import { type DeletionProgress, deleteWorkspaceRows } from "@/db/delete-workspace-rows";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError, isAppError } from "@/lib/contract/errors";
import { idToUuid } from "@/lib/contract/ids";
import { log } from "@/lib/platform/log";
import {
  countDemoWorkspaces,
  createWorkspace,
  deleteWorkspaceRow,
  readWorkspace,
  setDemoPercent,
} from "@/lib/tenancy/workspaces";
import { makeDemoData, requireDays } from "./make-demo-data";

const NAME = "Demo data";
const MOST = 3;
/** Passes over all tables, since work already in progress, such as the log of a call, can still add rows. */
const PASSES = 5;

/**
 * Creates a separate workspace for demo data, which `fillDemoWorkspace` stores.
 *
 * @throws AppError `forbidden`, `conflict`, `invalid_request`
 */
export async function createDemoWorkspace(
  context: Context,
  { days }: { days?: number | undefined } = {},
): Promise<{ workspaceId: string }> {
  requireOperator(context);
  requireDays(days);
  if ((await countDemoWorkspaces(context.db)) >= MOST)
    throw new AppError("conflict", { message: `There are already ${MOST} workspaces of demo data. Delete one first` });
  const { workspaceId } = await createWorkspace(context, { name: NAME, plan: "enterprise" });
  await setDemoPercent(context.db, workspaceId, 0);
  return { workspaceId };
}

/** Deletes what was stored in a workspace after its deletion. */
async function deleteIfGone(context: Context, workspaceId: string): Promise<void> {
  await readWorkspace(context, { workspaceId }).catch(async (error: unknown) => {
    if (isAppError(error) && error.code === "not_found") await deleteWorkspaceRows(context.db, idToUuid(workspaceId));
  });
}

/**
 * Stores the demo data of a demo workspace and records the progress in it. If interrupted, the workspace stays
 * incomplete and has to be deleted.
 *
 * @throws AppError `not_found`, also if the workspace is deleted meanwhile, `forbidden`, `conflict`
 */
export async function fillDemoWorkspace(
  context: Context,
  input: { workspaceId: string; days?: number | undefined },
  onProgress: (percent: number) => Promise<void> | void = () => undefined,
) {
  const { workspaceId } = input;
  await requireDemo(context, workspaceId);
  try {
    return await makeDemoData(context, {
      ...input,
      async onProgress(percent) {
        await onProgress(percent);
        if (!(await setDemoPercent(context.db, workspaceId, percent)))
          throw new AppError("not_found", { message: "The workspace was deleted while its demo data were stored" });
      },
    });
  } catch (error) {
    await deleteIfGone(context, workspaceId);
    throw error;
  }
}

/** Starts `fillDemoWorkspace` without waiting for it. */
export function beginDemoWorkspace(context: Context, input: { workspaceId: string }): void {
  fillDemoWorkspace(context, input).catch((error: unknown) => {
    log.error({ err: error }, "demo data could not be created");
  });
}

async function requireDemo(context: Context, workspaceId: string): Promise<void> {
  requireOperator(context);
  const { demoPercent } = await readWorkspace(context, { workspaceId });
  if (demoPercent === null)
    throw new AppError("conflict", {
      message: "This workspace was not created for demo data, so it is not deleted or filled",
    });
}

/**
 * Deletes a demo workspace with everything in it except its audit log, which is kept permanently. Safe to repeat after
 * an interruption.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` for any other workspace
 */
export async function deleteDemoWorkspace(
  context: Context,
  { workspaceId }: { workspaceId: string },
  onProgress?: (progress: DeletionProgress) => void,
) {
  await requireDemo(context, workspaceId);
  const id = idToUuid(workspaceId);
  let rows = await deleteWorkspaceRows(context.db, id, onProgress);
  await context.db.transaction(async (tx) => {
    rows += await deleteWorkspaceRows(tx, id);
    await deleteWorkspaceRow(tx, workspaceId);
    await recordAudit(tx, context, {
      // Recorded for the instance, because the workspace is gone.
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "demo_data.delete",
      target: workspaceId,
      detail: { rows },
    });
  });
  for (let pass = 0; pass < PASSES && (await deleteWorkspaceRows(context.db, id)) > 0; pass += 1);
  return { workspaceId, rows };
}
