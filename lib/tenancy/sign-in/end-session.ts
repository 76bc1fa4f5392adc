import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { deleteSessionOf, deleteSessionsOf } from "./queries";
import { requireSelf } from "./require-self";

const UNKNOWN = "There is no such session";

/**
 * Ends one session of a person.
 *
 * @throws AppError `forbidden`, `not_found`
 */
export async function endSession(context: Context, input: { userId: string; sessionId: string }) {
  const { userId } = input;
  requireSelf(context, userId);
  const sessionId = requireId("session", input.sessionId, UNKNOWN);
  await context.db.transaction(async (tx) => {
    if (!(await deleteSessionOf(tx, userId, sessionId))) throw new AppError("not_found", { message: UNKNOWN });
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "session.end",
      target: userId,
      detail: { sessionId },
    });
  });
  return { userId, sessionId };
}

/**
 * Ends all sessions of a person except the current one.
 *
 * @throws AppError `forbidden`
 */
export async function endOtherSessions(context: Context, { userId }: { userId: string }) {
  requireSelf(context, userId);
  const kept = context.actor.kind === "user" ? context.actor.sessionId : undefined;
  return await context.db.transaction(async (tx) => {
    const ended = await deleteSessionsOf(tx, userId, kept);
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "session.end_others",
      target: userId,
      detail: { ended },
    });
    return { userId, ended };
  });
}
