import type { Context } from "@/lib/platform/context";
import { listSessionsOf } from "./queries";
import { requireSelf } from "./require-self";

/**
 * A person's active sessions, newest first.
 *
 * @throws AppError `forbidden`
 */
export async function listSessions(context: Context, { userId }: { userId: string }) {
  requireSelf(context, userId);
  return await listSessionsOf(context.db, userId);
}
