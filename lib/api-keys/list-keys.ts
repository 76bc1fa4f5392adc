import type { Context } from "@/lib/context";
import { authorize } from "@/lib/workspaces";
import { keyState } from "./domain/key-state";
import { listKeyRows } from "./queries";

/**
 * The API keys of a workspace without their secrets, the newest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listKeys({ db, actor }: Context, { workspaceId }: { workspaceId: string }) {
  await authorize({ db, actor }, workspaceId, "apiKey.read");
  const rows = await listKeyRows(db, workspaceId);
  return rows.map(({ now, ...row }) => ({ ...row, state: keyState(row, now) }));
}
