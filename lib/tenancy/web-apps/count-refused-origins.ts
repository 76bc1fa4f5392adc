import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { wouldMatch } from "./list-refused-origins";
import { listRefusalsOfWorkspace } from "./queries-refused";

export type RefusedOfWebApp = { count: number; origins: { origin: string; count: number; canBeAllowed: boolean }[] };

/**
 * Refused origins of the last 24 hours by Web App, most frequent first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function countRefusedOrigins(
  context: Context,
  { workspaceId }: { workspaceId: string },
): Promise<Map<string, RefusedOfWebApp>> {
  await authorize(context, workspaceId, "webApp.read");
  const byWebApp = new Map<string, RefusedOfWebApp>();
  for (const { webAppId, origin, count } of await listRefusalsOfWorkspace(context.db, workspaceId)) {
    const known = byWebApp.get(webAppId) ?? { count: 0, origins: [] };
    known.count += count;
    known.origins.push({ origin, count, canBeAllowed: wouldMatch(origin) });
    byWebApp.set(webAppId, known);
  }
  return byWebApp;
}
