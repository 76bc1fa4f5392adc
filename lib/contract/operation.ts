import type { z } from "zod";

import type { ErrorCode } from "@/lib/contract/errors";

/**
 * Who may call: anyone; the holder of an API key (`X-API-Key`), of a claim token or of a management key (both Bearer); a
 * page of an allowed origin that names its environment in the body; or a buyer with its own claim token in the body.
 */
export type Security = "none" | "apiKey" | "claimToken" | "managementKey" | "origin" | "purchase";

type OauthLimit = "oauthRegistration" | "oauthAuthorization" | "oauthToken";

/** Names of the limits per client IP; `lib/platform/limits` has their values. */
export type AddressLimit =
  | "challenge"
  | "submission"
  | "catalog"
  | "intentCreation"
  | "intentActivation"
  | "intentStatus"
  | "failedAuthentication"
  | OauthLimit;

type ResponseHeader = {
  description: string;
  required: boolean;
  /** Exhaustive list of values. */
  values?: readonly string[];
  /** Pattern that every value matches. */
  pattern?: RegExp;
  statuses?: readonly number[];
};

/**
 * One public HTTP operation. Routes, OpenAPI and contract tests are all derived from this,
 * so a field that is not declared here can neither be accepted nor returned.
 */
export type Operation = {
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** OpenAPI form, e.g. `/api/v1/fingerprint/report/{imprint}`. */
  path: string;
  summary: string;
  description: string;
  security: Security;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers by lower-case name. */
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /**
   * Body field whose absence, without a payment, marks a request as a probe: its body is ignored, and the response is the
   * challenge. Indexers of paid resources send such requests.
   */
  probedWithout?: string;
  /** A payment may have been submitted before or by a call, so errors must say how to find out. */
  mayHavePaid?: boolean;
  /** Whether a GET uses up or starts something; a HEAD, which must be safe, is then refused. */
  hasEffects?: true;
  /** Maximum body size in bytes; 0 if the operation takes no body. */
  bodyLimitBytes: number;
  /** Body fields of which a request must have exactly one; hard to express in JSON Schema. */
  exactlyOneOf?: readonly string[];
  addressLimit?: AddressLimit;
  /** Error code for a path parameter that does not match its pattern. */
  unmatchedParams?: ErrorCode;
  /** Body schema by status, for every response other than a plain error envelope. */
  responses: Partial<Record<200 | 201 | 202 | 402, z.ZodType>>;
  responseHeaders?: Record<string, ResponseHeader>;
  /** Codes besides those of every operation. */
  errors: readonly ErrorCode[];
  /** OpenAPI extensions, keys starting with `x-`. */
  extensions?: Record<`x-${string}`, unknown>;
};

/** Codes that every operation can return. */
export const COMMON_ERRORS = [
  "method_not_allowed",
  "payload_too_large",
  "internal_error",
  "service_unavailable",
] as const satisfies readonly ErrorCode[];

/** Identity function that checks the shape of `operation` while keeping its literal types. */
export const defineOperation = <const T extends Operation>(operation: T): T => operation;
