import type { Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { archiveWebApp } from "@/lib/tenancy/web-apps";
import type { Trial } from "./domain/intent";
import { endGrant } from "./queries-grants";

type End = { trial: Trial; as: "expired" | "revoked"; at: Date };

/** Ends grant and environment together. The key stays valid, but the ended grant limits what it may do. */
export async function endTrial(
  { requestId }: Pick<Context, "requestId">,
  tx: Db,
  { trial: { workspaceId }, as, at }: End,
): Promise<void> {
  const ended = await endGrant(tx, workspaceId, { status: as, endedAt: at });
  if (!ended) return;
  const context = {
    db: tx,
    now: at,
    actor: { kind: "system" } as const,
    ...(requestId === undefined ? {} : { requestId }),
  };
  await archiveWebApp(context, { workspaceId, webAppId: ended.webAppId });
}
