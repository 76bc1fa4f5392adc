import type { Context } from "@/lib/context";
import { authorize, requireId } from "@/lib/workspaces";
import { parseOrigin } from "./domain/origin";
import { listRefusals } from "./queries-refused";
import { unknownWebApp } from "./read-stored";

const MAX_SHOWN = 100;

/**
 * The origins whose submissions a Web App refused in the last 24 hours, the latest first.
 * An empty origin stands for requests that named none, `*` for those beyond the bound.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listRefusedOrigins({ db, actor }: Context, input: { workspaceId: string; webAppId: string }) {
  await authorize({ db, actor }, input.workspaceId, "webApp.read");
  requireId("webApp", input.webAppId, unknownWebApp().message);
  const rows = await listRefusals(db, input, MAX_SHOWN);
  return rows.map((row) => ({ ...row, canBeAllowed: parseOrigin(row.origin).ok }));
}
