import { deleteWorkspaceRows } from "@/db/delete-workspace-rows";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idToUuid } from "@/lib/contract/ids";
import { log } from "@/lib/platform/log";
import {
  countDemoWorkspaces,
  createWorkspace,
  deleteWorkspaceRow,
  readWorkspace,
  setDemoPercent,
} from "@/lib/tenancy/workspaces";
import { makeDemoData } from "./make-demo-data";

const NAME = "Demo data";
const MOST = 3;
/** Rows can come from what was begun before, such as the log of a call, this often. */
const PASSES = 5;

/**
 * Makes a workspace of its own for demo data, which `fillDemoWorkspace` stores.
 *
 * @throws AppError `forbidden`, `conflict`
 */
export async function createDemoWorkspace(context: Context): Promise<{ workspaceId: string }> {
  requireOperator(context);
  if ((await countDemoWorkspaces(context.db)) >= MOST)
    throw new AppError("conflict", { message: `There are ${MOST} workspaces of demo data. Delete one first` });
  const { workspaceId } = await createWorkspace(context, { name: NAME, plan: "enterprise" });
  await setDemoPercent(context.db, workspaceId, 0);
  return { workspaceId };
}

/**
 * Stores the demo data of a workspace that was made for them, and says how far it is in the workspace itself. Cut off,
 * it leaves the workspace unfinished, to be deleted.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict`
 */
export async function fillDemoWorkspace(context: Context, input: { workspaceId: string; days?: number | undefined }) {
  const { workspaceId } = input;
  await requireDemo(context, workspaceId);
  return await makeDemoData(context, {
    ...input,
    onProgress: (percent) => setDemoPercent(context.db, workspaceId, percent),
  });
}

/** `fillDemoWorkspace` for those who do not wait for it. */
export function beginDemoWorkspace(context: Context, input: { workspaceId: string }): void {
  fillDemoWorkspace(context, input).catch((error: unknown) => {
    log.error({ err: error }, "demo data were not made");
  });
}

async function requireDemo(context: Context, workspaceId: string): Promise<void> {
  requireOperator(context);
  const { demoPercent } = await readWorkspace(context, { workspaceId });
  if (demoPercent === null)
    throw new AppError("conflict", { message: "This workspace was not made for demo data, and is left alone" });
}

/**
 * Deletes a workspace that was made for demo data, with everything in it but its audit log, which is kept for good.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` for any other workspace
 */
export async function deleteDemoWorkspace(context: Context, { workspaceId }: { workspaceId: string }) {
  await requireDemo(context, workspaceId);
  const id = idToUuid(workspaceId);
  let rows = await deleteWorkspaceRows(context.db, id);
  await context.db.transaction(async (tx) => {
    rows += await deleteWorkspaceRows(tx, id);
    await deleteWorkspaceRow(tx, workspaceId);
    await recordAudit(tx, context, {
      // Of the instance, since the workspace is gone.
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "demo_data.delete",
      target: workspaceId,
      detail: { rows },
    });
  });
  for (let pass = 0; pass < PASSES && (await deleteWorkspaceRows(context.db, id)) > 0; pass += 1);
  return { workspaceId, rows };
}
