import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, lockWorkspace, requireName } from "@/lib/tenancy/workspaces";
import { parseViewQuery } from "./domain/view-query";
import { countViews, insertView } from "./queries";
import { requireFreeName } from "./require-free-name";

const MAX_VIEWS = 100;

/** @throws AppError `invalid_request` */
function requireQuery(text: string): string {
  const query = parseViewQuery(text);
  if (query !== undefined) return query;
  throw new AppError("invalid_request", {
    message: "A view consists of filters of the list of Reports, each at most once, such as risk=DECEPTIVE&span=30d",
  });
}

/**
 * Saves filters of the list of Reports under a name, for all members. The audit log gets only the name, since filters can
 * contain an IP address.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function saveView(context: Context, input: { workspaceId: string; name: string; query: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "view.use");
  const [name, query, viewId] = [requireName(input.name), requireQuery(input.query), newId("view")];
  await context.db.transaction(async (tx) => {
    // Serialised, so that the limit is exact and concurrent calls cannot take the same name.
    await lockWorkspace(tx, workspaceId);
    if ((await countViews(tx, workspaceId)) >= MAX_VIEWS)
      throw new AppError("conflict", { message: `A workspace can have at most ${MAX_VIEWS} views. Delete one first` });
    await requireFreeName(tx, workspaceId, name);
    await insertView(tx, { workspaceId, viewId, name, query, createdBy: actorId(context.actor) });
    await recordAudit(tx, context, { workspaceId, action: "report_view.save", target: viewId, detail: { name } });
  });
  return { viewId, name, query };
}
