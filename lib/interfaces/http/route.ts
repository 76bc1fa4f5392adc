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

/** An operation of the public API, with its id from the contract. */
export type ApiOperation = Operation & { id: UsageOperation };

/** The output type of a schema; undefined for an operation without one. */
export type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The body's type. An operation that can be probed also accepts a request without a body. */
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

/**
 * What an operation prepares before its caller is known: at least the query whose row is read in the round trip of the
 * address's permit.
 */
export type Prefetch = { query: RowQuery };

export type RouteContext<O extends Operation, Key, P extends Prefetch> = Context &
  SentRequest & {
    caller: CallerOf<O["security"], Key>;
    params: Parsed<O["params"]>;
    query: Parsed<O["query"]>;
    headers: Parsed<O["headers"]>;
    body: ParsedBody<O>;
    /** `row` is undefined if none was read. */
    prefetched: (P & { row: Readonly<Record<string, unknown>> | undefined }) | undefined;
  };

type Statuses<O extends Operation> = keyof O["responses"] & keyof Operation["responses"];
type BodyOf<O extends Operation, S extends Statuses<O>> = z.input<O["responses"][S] & z.ZodType>;

/** A handler's answer: a declared status with its declared body. */
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

/** An answer from stored JSON, which was validated against the operation's schema when it was stored. */
export const replyStored = <const S extends number>(status: S, json: string, headers: Record<string, string>) => ({
  status,
  json,
  headers,
});

/** An operation, its handler, and what is read before the handler runs. */
export type RouteDefinition<O extends ApiOperation, Key extends ApiKeyPrincipal, P extends Prefetch> = {
  operation: O;
  handler: (context: RouteContext<O, Key, P>) => Promise<Reply<O>>;
  /**
   * Replaces the key lookup with one that reads more in the same round trip; the handler finds the result in `caller`.
   */
  findKey?: ((params: Parsed<O["params"]>, headers: Parsed<O["headers"]>) => KeyLookup<Key>) | undefined;
  /**
   * Its result is passed to the handler as `prefetched`. For operations that browsers call, the row must also have the
   * columns of `originQuery`.
   */
  prefetch?: ((sent: SentRequest & { body: ParsedBody<O> }) => P | undefined) | undefined;
};
