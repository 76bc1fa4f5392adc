import type { Db } from "@/db/client";
import type { Actor, Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { type AuditDetail, withoutSecrets } from "./domain/detail";
import { insertAuditEntry } from "./queries";

/** Workspace id for events of the whole instance. No workspace has this id. */
export const SYSTEM_WORKSPACE_ID = `ws_${"0".repeat(32)}`;

type Entry = {
  workspaceId: string;
  /** `resource.verb`, e.g. `api_key.rotate` */
  action: `${string}.${string}`;
  /** Identifier of the object acted on. */
  target: string;
  detail?: AuditDetail;
};

/** The actor's id for the audit log; empty for the operator and the system. */
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

/** Writes one audit entry. Call it in the transaction that makes the change. */
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
