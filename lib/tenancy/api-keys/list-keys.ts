import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { isUnused, keyState } from "./domain/key-state";
import { UNKNOWN_KEY } from "./lock-stored-key";
import { findKeyRow, type KeyRow, listKeyNames, listKeyRows } from "./queries";

const shown = ({ now, ...row }: KeyRow) => ({ ...row, state: keyState(row, now), isUnused: isUnused(row, now) });

/**
 * The API keys of a workspace without their secrets, newest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listKeys({ db, actor }: Context, { workspaceId }: { workspaceId: string }) {
  await authorize({ db, actor }, workspaceId, "apiKey.read");
  return (await listKeyRows(db, workspaceId)).map(shown);
}

/**
 * One API key of a workspace, without its secret.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function requireKey(
  { db, actor }: Context,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
) {
  await authorize({ db, actor }, workspaceId, "apiKey.read");
  const row = await findKeyRow(db, workspaceId, requireId("apiKey", keyId, UNKNOWN_KEY));
  if (!row) throw new AppError("not_found", { message: UNKNOWN_KEY });
  return shown(row);
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
