import type { z } from "zod";

import type { RowQuery } from "@/db/prepared";
import type { Operation } from "@/lib/contract/operation";
import type { UsageOperation } from "@/lib/metering";
import type { Context } from "@/lib/platform/context";
import type { ApiKeyPrincipal, KeyLookup } from "@/lib/tenancy/api-keys";
import type { ManagementPrincipal } from "@/lib/tenancy/management";
import type { ClaimPrincipal, PurchasePrincipal } from "@/lib/trials";
import type { OriginPrincipal } from "@/lib/visits/submissions";
import type { SentRequest } from "./stages/read-request";

/** An operation of the public API: every one has its id from the contract. */
export type ApiOperation = Operation & { id: UsageOperation };

/** What a schema makes of its input; nothing where the operation has no such schema. */
export type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A probe of an operation that is probed has none. */
export type ParsedBody<O extends Operation> =
  | Parsed<O["body"]>
  | (O extends { probedWithout: string } ? undefined : never);

type Principals<Key> = {
  apiKey: Key;
  claimToken: ClaimPrincipal;
  managementKey: ManagementPrincipal;
  origin: OriginPrincipal;
  purchase: PurchasePrincipal | undefined;
};
export type CallerOf<S, Key> = S extends keyof Principals<Key> ? Principals<Key>[S] : undefined;

/** What is prepared before it is known who calls, and the row that is read in the round trip of the address's permit. */
export type Prefetch = { query: RowQuery };

export type RouteContext<O extends Operation, Key, P extends Prefetch> = Context &
  SentRequest & {
    caller: CallerOf<O["security"], Key>;
    params: Parsed<O["params"]>;
    query: Parsed<O["query"]>;
    headers: Parsed<O["headers"]>;
    body: ParsedBody<O>;
    /** The row is missing where none was read. */
    prefetched: (P & { row: Readonly<Record<string, unknown>> | undefined }) | undefined;
  };

type Statuses<O extends Operation> = keyof O["responses"] & keyof Operation["responses"];
type BodyOf<O extends Operation, S extends Statuses<O>> = z.input<O["responses"][S] & z.ZodType>;

/** What a handler answers: a declared status with the body that is declared for it. */
export type Reply<O extends Operation> = {
  [S in Statuses<O>]:
    | { status: S; body: BodyOf<O, S>; headers: Record<string, string> }
    | { status: S; json: string; headers: Record<string, string> };
}[Statuses<O>];

export const reply = <const S extends number, B>(status: S, body: B, headers: Record<string, string> = {}) => ({
  status,
  body,
  headers,
});

/** An answer whose text was validated against the operation's schema when it was stored. */
export const replyStored = <const S extends number>(status: S, json: string, headers: Record<string, string>) => ({
  status,
  json,
  headers,
});

/** An operation, the verb that answers it, and what is read for it before its turn. */
export type RouteDefinition<O extends ApiOperation, Key extends ApiKeyPrincipal, P extends Prefetch> = {
  operation: O;
  handler: (context: RouteContext<O, Key, P>) => Promise<Reply<O>>;
  /** Reads more than the caller's key in the same round trip; the handler finds it in `caller`. */
  findKey?: ((params: Parsed<O["params"]>, headers: Parsed<O["headers"]>) => KeyLookup<Key>) | undefined;
  /**
   * The handler finds what it gives in `prefetched`. Of an operation that browsers call, its row has the columns of
   * `originQuery` too.
   */
  prefetch?: ((sent: SentRequest & { body: ParsedBody<O> }) => P | undefined) | undefined;
};
