import type { Db } from "@/db/client";
import { actorId } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { lockView } from "./queries";

const UNKNOWN = "There is no such view";

/**
 * A view that the actor may change (their own, or any with `view.manage`), locked until the end of the transaction.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function lockOwnView(
  tx: Db,
  { actor }: Pick<Context, "actor">,
  { workspaceId, viewId }: { workspaceId: string; viewId: string },
) {
  const view = await lockView(tx, workspaceId, requireId("view", viewId, UNKNOWN));
  if (!view) throw new AppError("not_found", { message: UNKNOWN });
  const isOwn = actor.kind === "user" && view.createdBy === actorId(actor);
  if (!isOwn) await authorize({ db: tx, actor }, workspaceId, "view.manage");
  return view;
}
