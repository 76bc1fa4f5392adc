import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { isUnused, keyState } from "./domain/key-state";
import { listKeyNames, listKeyRows } from "./queries";

/**
 * The API keys of a workspace without their secrets, newest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listKeys({ db, actor }: Context, { workspaceId }: { workspaceId: string }) {
  await authorize({ db, actor }, workspaceId, "apiKey.read");
  const rows = await listKeyRows(db, workspaceId);
  return rows.map(({ now, ...row }) => ({ ...row, state: keyState(row, now), isUnused: isUnused(row, now) }));
}

/**
 * One API key of a workspace, without its secret.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function requireKey(context: Context, { workspaceId, keyId }: { workspaceId: string; keyId: string }) {
  const key = (await listKeys(context, { workspaceId })).find((each) => each.keyId === keyId);
  if (!key) throw new AppError("not_found", { message: "There is no such API key in this workspace" });
  return key;
}

/**
 * The names of those of `keyIds` that are API keys of the workspace.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function nameKeys(context: Context, input: { workspaceId: string; keyIds: readonly string[] }) {
  await authorize(context, input.workspaceId, "apiKey.read");
  return await listKeyNames(context.db, input.workspaceId, input.keyIds);
}
