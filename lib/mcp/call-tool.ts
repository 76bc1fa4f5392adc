import type { CallToolResult } from "@modelcontextprotocol/server";

import { isDatabaseUnavailable } from "@/db/client";
import { AppError, ERRORS, isAppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { noteToolCall } from "@/lib/oauth";
import type { Tool, ToolContext } from "./tool";

/** @throws AppError invalid_request */
function parseInput(tool: Tool, given: unknown) {
  const result = tool.input.safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? issue.path.join(".") : "arguments";
  throw new AppError("invalid_request", { message: `${where}: ${issue?.message ?? "not valid"}` });
}

function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return new AppError(isDatabaseUnavailable(error) ? "service_unavailable" : "internal_error", { cause: error });
}

/**
 * The error envelope of the API as the result of a call: a protocol error would reach the model as nothing but
 * a failure. Without structured content, which clients would hold against the schema of a success.
 */
export function refusal(error: unknown, requestId: string | undefined): CallToolResult {
  const { code, message, cause, retryAfterSeconds } = toAppError(error);
  if (ERRORS[code].status >= 500) log.error({ err: cause ?? error, code, requestId }, "a tool failed");
  const text = retryAfterSeconds === undefined ? message : `${message}. Try again in ${retryAfterSeconds} s`;
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ error: { code, message: text } }) }],
  };
}

/** Runs a tool. Every failure is a result too. */
export async function callTool(tool: Tool, context: ToolContext, given: unknown): Promise<CallToolResult> {
  try {
    const text = await tool.run(context, parseInput(tool, given));
    noteToolCall(context.db, context.principal, tool.name);
    return { structuredContent: JSON.parse(text) as Record<string, unknown>, content: [{ type: "text", text }] };
  } catch (error) {
    return refusal(error, context.requestId);
  }
}
