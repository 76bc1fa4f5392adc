import type { Context } from "@/lib/platform/context";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { parseOrigin } from "./domain/origin";
import { listRefusals } from "./queries-refused";
import { unknownWebApp } from "./read-stored";

const MAX_SHOWN = 100;

/** Whether an Origin header equals its normalised form, so that adding it to the list would make it match. */
export function wouldMatch(sent: string): boolean {
  const parsed = parseOrigin(sent);
  return parsed.ok && parsed.origin === sent;
}

/**
 * Origins whose submissions a Web App refused in the last 24 hours, most recent first. An empty origin means requests
 * without one, `*` those beyond `MAX_DISTINCT`.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listRefusedOrigins({ db, actor }: Context, input: { workspaceId: string; webAppId: string }) {
  await authorize({ db, actor }, input.workspaceId, "webApp.read");
  requireId("webApp", input.webAppId, unknownWebApp().message);
  const rows = await listRefusals(db, input, MAX_SHOWN);
  return rows.map((row) => ({ ...row, canBeAllowed: wouldMatch(row.origin) }));
}
