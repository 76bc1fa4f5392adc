import type { Db } from "@/db/client";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { listWorkspacesOf } from "@/lib/tenancy/workspaces";
import { findPerson } from "./queries";

type Session = { userId: string; sessionId: string };

/**
 * Records the start or end of a session in the audit log of the instance and of each of the person's workspaces. Call it
 * in the transaction that makes the change.
 */
export async function recordSession(
  tx: Db,
  request: Pick<Context, "requestId" | "address">,
  { userId, sessionId }: Session,
  entry: { action: "session.sign_in" | "session.sign_out"; method?: string | undefined },
): Promise<void> {
  const person = await findPerson(tx, userId);
  if (!person) return;
  const context = { ...request, actor: { kind: "user", userId, sessionId, ...person } } as const;
  const opened = await listWorkspacesOf({ db: tx }, { userId });
  for (const workspaceId of [SYSTEM_WORKSPACE_ID, ...opened.map((workspace) => workspace.workspaceId)])
    await recordAudit(tx, context, {
      workspaceId,
      action: entry.action,
      target: userId,
      detail: { email: person.email, ...(entry.method === undefined ? {} : { method: entry.method }) },
    });
}
