import type { Db } from "@/db/client";
import { log } from "@/lib/log";
import type { TokenPrincipal } from "./authenticate-token";
import { saveToolCall } from "./queries";

/** Notes that a client called a tool, for the page that waits for it. The call does not wait for the note. */
export function noteToolCall(db: Db, { actor, grantId }: TokenPrincipal, tool: string): void {
  saveToolCall(db, actor.workspaceId, grantId, tool).catch((error: unknown) => {
    log.warn({ err: error, grantId }, "the call of a tool was not noted");
  });
}
