import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";

/** Who acts. The operator runs commands on the machine itself; the system is the service's own background work. */
export type Actor =
  | { kind: "user"; userId: string; email: string; isOperator: boolean; sessionId?: string }
  | { kind: "apiKey"; workspaceId: string; keyId: string }
  | { kind: "oauthClient"; clientId: string; userId: string; workspaceId: string }
  | { kind: "operator" }
  | { kind: "system" };

/** What every verb needs to know of the request that it serves. */
export type Context = {
  db: Db;
  /** The process clock at the start of the request; stored times come from the database. */
  now: Date;
  actor: Actor;
  requestId?: string;
  /** Where the request came from, when it came over the network. */
  address?: string | undefined;
};

/**
 * Checks that the actor runs the whole instance.
 *
 * @throws AppError `forbidden`
 */
export function requireOperator({ actor }: Pick<Context, "actor">): void {
  const isOperator =
    actor.kind === "operator" || actor.kind === "system" || (actor.kind === "user" && actor.isOperator);
  if (!isOperator) throw new AppError("forbidden", { message: "Only an operator of this instance may do that" });
}
