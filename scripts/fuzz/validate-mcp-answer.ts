import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { NO_STORE } from "@/lib/interfaces/http/response";

import type { FuzzRequest } from "./request";
import type { WireAnswer } from "./wire";
import type { Fixtures } from "./fixtures";

const STATUSES = [200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 429];
const INTERNAL_ERROR = -32603;

type Result = { isError?: boolean; structuredContent?: unknown; content?: { text?: string }[] };
type Message = { jsonrpc?: string; result?: Result; error?: { code?: number | string; message?: string } };

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @modelcontextprotocol/server 2.4 refuses malformed parameters of its own methods with this code and a list of issues.
 */
const isListOfIssues = (text: string | undefined): boolean => Array.isArray(parse(text ?? ""));

function resultFaults(tool: Fixtures["tools"][number], { isError, structuredContent, content }: Result): string[] {
  const text = content?.[0]?.text;
  if (typeof text !== "string") return ["a result without text"];
  if (isError) {
    const error = (parse(text) as { error?: { code?: string } } | undefined)?.error;
    if (!error)
      return /invalid|validation/i.test(text) ? [] : [`a failure without an error envelope: ${text.slice(0, 100)}`];
    return error.code === "internal_error" ? ["a tool failed with internal_error"] : [];
  }
  if (JSON.stringify(parse(text)) !== JSON.stringify(structuredContent)) return ["text and structuredContent differ"];
  if (!tool.outputSchema) return [];
  const validate = ajv.compile(tool.outputSchema);
  return validate(structuredContent) ? [] : [`structuredContent ${ajv.errorsText(validate.errors)}`];
}

/** Faults in an answer of the MCP endpoint. */
export function checkMcp(
  request: FuzzRequest,
  { status, headers, text }: WireAnswer,
  fixtures: Pick<Fixtures, "tools">,
): string[] {
  // Without a request id, the socket layer answered; that is checked elsewhere.
  if (request.method === "HEAD" || request.method === "OPTIONS" || !headers.has("x-request-id")) return [];
  const faults = STATUSES.includes(status) ? [] : [`status ${status} is not an MCP status`];
  const cache = headers.get("cache-control");
  if (cache !== NO_STORE) faults.push(`Cache-Control is ${cache}`);
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const json = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? "") : text;
  if (json === "") return faults;
  const message = parse(json) as Message | undefined;
  if (typeof message !== "object") return [...faults, "the answer is not JSON"];
  if (message.error?.code === INTERNAL_ERROR && !isListOfIssues(message.error.message))
    faults.push("JSON-RPC internal error");
  const tool = fixtures.tools.find(({ name }) => name === request.operation);
  const isCall = tool && request.body?.toString().includes('"tools/call"') && message.result?.content;
  return isCall ? [...faults, ...resultFaults(tool, message.result ?? {})] : faults;
}
