import type { Db } from "@/db/client";
import type { Actor, Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { type AuditDetail, withoutSecrets } from "./domain/detail";
import { insertAuditEntry } from "./queries";

/** The workspace id under which events of the whole instance are recorded. No workspace has it. */
export const SYSTEM_WORKSPACE_ID = `ws_${"0".repeat(32)}`;

type Entry = {
  workspaceId: string;
  /** `resource.verb`, e.g. `api_key.rotate` */
  action: `${string}.${string}`;
  /** Identifier of what was acted on. */
  target: string;
  detail?: AuditDetail;
};

/** The id of an actor in the log; empty for the operator and the system. */
export function actorId(actor: Actor): string {
  switch (actor.kind) {
    case "user":
      return actor.userId;
    case "apiKey":
    case "managementKey":
      return actor.keyId;
    case "oauthClient":
      return actor.clientId;
    case "operator":
    case "system":
      return "";
  }
}

/** Writes one entry of the audit log. Call it with the transaction that makes the change. */
export async function recordAudit(
  tx: Db,
  { actor, requestId, address }: Pick<Context, "actor" | "requestId" | "address">,
  entry: Entry,
): Promise<void> {
  await insertAuditEntry(tx, {
    workspaceId: entry.workspaceId,
    auditId: newId("audit"),
    actorKind: actor.kind,
    actorId: actorId(actor),
    credential: (actor.kind === "user" ? actor.sessionId : undefined) ?? "",
    address: address ?? null,
    action: entry.action,
    target: entry.target,
    requestId: requestId ?? null,
    detail: withoutSecrets(entry.detail ?? {}),
  });
}
