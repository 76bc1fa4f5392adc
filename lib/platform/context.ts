import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import type { ManagementScope } from "@/lib/contract/manage";

/** `operator` runs commands on the machine; `system` is background work. */
export type Actor =
  | { kind: "user"; userId: string; email: string; isOperator: boolean; sessionId?: string }
  | { kind: "apiKey"; workspaceId: string; keyId: string }
  | { kind: "managementKey"; workspaceId: string; keyId: string; scopes: readonly ManagementScope[] }
  | { kind: "oauthClient"; clientId: string; userId: string; workspaceId: string }
  | { kind: "operator" }
  | { kind: "system" };

/** Request-scoped data that every use case needs. */
export type Context = {
  db: Db;
  /** For reads that may be a few seconds stale: a replica while it is fresh. Never for permissions or read-your-writes. */
  reader?: Db | undefined;
  /** The process clock at the start of the request; stored times come from the database. */
  now: Date;
  actor: Actor;
  requestId?: string;
  /** Client address of a network request. */
  address?: string | undefined;
};

/** The context with its reads sent to the replica. Call it only after the actor has been authorised. */
export const onReader = <C extends Pick<Context, "db" | "reader">>(context: C): C =>
  context.reader === undefined ? context : { ...context, db: context.reader };

/**
 * @throws AppError `forbidden`
 */
export function requireOperator({ actor }: Pick<Context, "actor">): void {
  const isOperator =
    actor.kind === "operator" || actor.kind === "system" || (actor.kind === "user" && actor.isOperator);
  if (!isOperator) throw new AppError("forbidden", { message: "Only an operator of this instance may do that" });
}
