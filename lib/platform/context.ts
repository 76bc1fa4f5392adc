import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import type { ManagementScope } from "@/lib/contract/manage";

/** The operator runs commands on the machine; the system is background work. */
export type Actor =
  | { kind: "user"; userId: string; email: string; isOperator: boolean; sessionId?: string }
  | { kind: "apiKey"; workspaceId: string; keyId: string }
  | { kind: "managementKey"; workspaceId: string; keyId: string; scopes: readonly ManagementScope[] }
  | { kind: "oauthClient"; clientId: string; userId: string; workspaceId: string }
  | { kind: "operator" }
  | { kind: "system" };

/** Facts of the request that every use case needs. */
export type Context = {
  db: Db;
  /** Where to read what may be some seconds old: a replica while it is fresh. Never for permissions, nor what is written. */
  reader?: Db | undefined;
  /** The process clock at the start of the request; stored times come from the database. */
  now: Date;
  actor: Actor;
  requestId?: string;
  /** Client address of a network request. */
  address?: string | undefined;
};

/** The same use case for reads that may be some seconds old, once the actor was authorised. */
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
