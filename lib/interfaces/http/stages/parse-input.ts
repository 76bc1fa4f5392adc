import type { z } from "zod";

import { AppError, isAppError } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import { isStorableTarget, unstorable } from "@/lib/platform/storable";
import { type ApiRequest, headerOf, isRepeated } from "../exchange";
import { parseJson } from "../read-body";
import type { Parsed, ParsedBody } from "../route";

export type PathParams = Record<string, string | string[] | undefined>;

/** The validated input, or the error to throw when the input is needed. */
export type Checked<T> = { value: T; error?: undefined } | { value?: undefined; error: AppError };

/** @throws AppError `invalid_request`, or the code that the operation declares for its path */
export function accept<T>(checked: Checked<T>): T {
  if (checked.error) throw checked.error;
  return checked.value;
}

const givenTwice = (name: string) => new AppError("invalid_request", { message: `${name}: given more than once` });

function refusal({ issues: [issue] }: z.ZodError, part: string): AppError {
  const where = issue && issue.path.length > 0 ? issue.path.join(".") : part;
  return new AppError("invalid_request", { message: `${where}: ${issue?.message ?? "not valid"}` });
}

type Part = "params" | "query" | "headers" | "body";

/** The only place where a schema's result is cast to its declared type: `Parsed` is what zod returns. */
function check<O extends Operation, P extends Part>(operation: O, part: P, input: unknown): Checked<Parsed<O[P]>> {
  const schema: z.ZodType | undefined = operation[part];
  const result = schema?.safeParse(input);
  if (result?.error) return { error: refusal(result.error, part === "params" ? "path" : part) };
  return { value: result?.data as Parsed<O[P]> };
}

/** Parses the JSON body; undefined for an operation without one. */
export function parseBodyText({ body }: Operation, rawBody: string): Checked<unknown> {
  if (!body) return { value: undefined };
  try {
    return { value: parseJson(rawBody) };
  } catch (error) {
    if (isAppError(error)) return { error };
    throw error;
  }
}

/**
 * Replaces the body of a probe by undefined: a request to a probeable operation that neither pays nor has the member
 * that a purchase requires.
 */
export function withoutProbe(
  { probedWithout }: Operation,
  json: Checked<unknown>,
  request: ApiRequest,
): Checked<unknown> {
  if (probedWithout === undefined || headerOf(request, "payment-signature") !== undefined) return json;
  const { value } = json;
  const isNamed = typeof value === "object" && value !== null && Object.hasOwn(value, probedWithout);
  return isNamed ? json : { value: undefined };
}

/** Validates the body. */
export function checkBody<O extends Operation>(operation: O, json: Checked<unknown>): Checked<ParsedBody<O>> {
  if (json.error) return json;
  if (operation.probedWithout !== undefined && json.value === undefined) return { value: undefined as ParsedBody<O> }; // safe: by its type, a probe has no body
  return check(operation, "body", json.value);
}

/**
 * Validates the path parameters without throwing: the key lookup may use them before the caller is refused for them.
 */
export function checkParams<O extends Operation>(operation: O, params: PathParams): Checked<Parsed<O["params"]>> {
  const checked = check(operation, "params", params);
  return checked.error && operation.unmatchedParams ? { error: new AppError(operation.unmatchedParams) } : checked;
}

/** @throws AppError `invalid_request` */
export function parseQuery<O extends Operation>(operation: O, search: string): Parsed<O["query"]> {
  if (!operation.query) return accept(check(operation, "query", undefined));
  if (!isStorableTarget(search)) throw unstorable("The query");
  const parameters = new URLSearchParams(search);
  const names = new Set<string>();
  for (const name of parameters.keys()) {
    if (names.has(name)) throw givenTwice(name);
    names.add(name);
  }
  return accept(check(operation, "query", Object.fromEntries(parameters)));
}

/**
 * Validates the declared headers without throwing: the key lookup may use them before the caller is refused for them.
 */
export function checkHeaders<O extends Operation>(operation: O, request: ApiRequest): Checked<Parsed<O["headers"]>> {
  const named: Record<string, string> = {};
  for (const name in operation.headers?.shape) {
    const value = headerOf(request, name);
    // Joined headers would be read as one value with a comma.
    if (value?.includes(",") && isRepeated(request, name)) return { error: givenTwice(name) };
    if (value !== undefined) named[name] = value;
  }
  return check(operation, "headers", named);
}
