import type { CallToolResult } from "@modelcontextprotocol/server";

import { AppError, type ErrorCode, ERRORS } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { log } from "@/lib/platform/log";
import { toAppError } from "@/lib/interfaces/http/response";
import { recordToolCall } from "@/lib/interfaces/oauth";
import { jsonSchemaOf } from "./advertise";
import type { Tool, ToolContext } from "./tool";

const DIGITS = /^\d{1,15}$/;

/** Normalises what clients send: `null` for an omitted argument, and digits as a string for an integer. */
function normaliseArguments(tool: Tool, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given ?? {};
  const { properties = {} } = jsonSchemaOf(tool.input) as { properties?: Record<string, { type?: unknown }> };
  const isNumber = (name: string) => Object.hasOwn(properties, name) && properties[name]?.type === "integer";
  const kept = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const isText = typeof value === "string" && DIGITS.test(value) && isNumber(name);
      return [name, isText ? Number(value) : (value as unknown)];
    });
  return Object.fromEntries(kept);
}

/** @throws AppError `invalid_request` */
function parseInput(tool: Tool, given: unknown) {
  const result = tool.input.safeParse(normaliseArguments(tool, given));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? issue.path.join(".") : "arguments";
  throw new AppError("invalid_request", { message: `${where}: ${issue?.message ?? "not valid"}` });
}

/** Replacements for messages that the API words for key holders; these are for the person behind a client. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  history_not_allowed: "The plan of this workspace does not include History",
  account_map_not_allowed: "The plan of this workspace does not include Account Map",
  report_not_found: "There is no such visit in this workspace",
  quota_exhausted: "All of this workspace's report units for the month have been used",
};

/**
 * Returns the API's error envelope as a tool result, because clients do not pass the details of a protocol error to the
 * model. It has no structured content, which clients would validate against the success schema.
 */
function resultOf(refused: AppError, operation: string, requestId: string): CallToolResult {
  const { code, message, cause, retryAfterSeconds } = refused;
  if (ERRORS[code].status >= 500) log.error({ err: cause ?? refused, code, operation, requestId }, "a tool failed");
  const told = message === ERRORS[code].message ? (TEXTS[code] ?? message) : message;
  const text = retryAfterSeconds === undefined ? told : `${told}. Try again in ${retryAfterSeconds} s`;
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ error: { code, message: text } }) }],
  };
}

/** The imprint argument of a call, for the log. */
function imprintOf(given: unknown): string | undefined {
  const imprint = typeof given === "object" && given !== null && "imprint" in given ? given.imprint : undefined;
  return typeof imprint === "string" && idPattern("imprint").test(imprint) ? imprint : undefined;
}

async function run(tool: Tool, { refusal, ...context }: ToolContext, given: unknown): Promise<CallToolResult> {
  if (refusal) throw refusal;
  const text = await tool.run(context, parseInput(tool, given));
  return { structuredContent: JSON.parse(text) as Record<string, unknown>, content: [{ type: "text", text }] };
}

/** Runs a tool and records the call. Failures are returned as results. */
export async function callTool(tool: Tool, context: ToolContext, given: unknown): Promise<CallToolResult> {
  const { principal, requestId } = context;
  const startedAt = performance.now();
  const note = (code: ErrorCode | "") => {
    const durationMs = performance.now() - startedAt;
    recordToolCall(principal, { tool: tool.name, imprint: imprintOf(given), code, durationMs, requestId });
  };
  try {
    const result = await run(tool, context, given);
    note("");
    return result;
  } catch (error) {
    const refused = toAppError(error);
    note(refused.code);
    return resultOf(refused, tool.name, requestId);
  }
}
