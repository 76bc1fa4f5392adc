import type { Db } from "@/db/client";

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
  address?: string;
};
