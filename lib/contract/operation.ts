import type { z } from "zod";

import type { ErrorCode } from "@/lib/contract/errors";

/**
 * Who may call: anybody, the holder of an API key (`X-API-Key`), of a claim token or of a management key (both Bearer), a page of an allowed
 * origin that names its environment in the body, or a buyer that brings a claim token of its own in the body.
 */
export type Security = "none" | "apiKey" | "claimToken" | "managementKey" | "origin" | "purchase";

type OauthLimit = "oauthRegistration" | "oauthAuthorization" | "oauthToken";

/** Names of the limits per client address; `lib/platform/limits` holds their values. */
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
  /** The only values. */
  values?: readonly string[];
  /** What every value matches. */
  pattern?: RegExp;
  statuses?: readonly number[];
};

/**
 * One public HTTP operation. Routes, OpenAPI and contract tests all read this,
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
   * A request that neither pays nor names this member of the body is a probe: its body counts as none, and the answer is
   * the challenge. Indexes of paid resources send such requests.
   */
  probedWithout?: string;
  /** A payment may have been submitted before or by a call: what fails has to say how to find out. */
  mayHavePaid?: boolean;
  /** Largest accepted body in bytes; 0 when the operation takes none. */
  bodyLimitBytes: number;
  /** Fields of the body of which a request has one and no more, which a JSON schema tells badly. */
  exactlyOneOf?: readonly string[];
  addressLimit?: AddressLimit;
  /** What a path parameter that does not match its pattern is answered with. */
  unmatchedParams?: ErrorCode;
  /** Body schema by status, for every answer that is not a plain error envelope. */
  responses: Partial<Record<200 | 201 | 202 | 402, z.ZodType>>;
  responseHeaders?: Record<string, ResponseHeader>;
  /** Codes besides those that every operation may answer. */
  errors: readonly ErrorCode[];
  /** OpenAPI extensions, keys starting with `x-`. */
  extensions?: Record<`x-${string}`, unknown>;
};

/** Codes that every operation may answer. */
export const COMMON_ERRORS = [
  "method_not_allowed",
  "payload_too_large",
  "internal_error",
  "service_unavailable",
] as const satisfies readonly ErrorCode[];

/** Identity function: keeps the literal types of `operation` while checking its shape. */
export const defineOperation = <const T extends Operation>(operation: T): T => operation;
