import { SCOPES } from "@/lib/interfaces/oauth";
import { connect, send } from "@/test/oauth";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

type Message = { method: string; name?: string; params?: Record<string, unknown>; headers?: Record<string, string> };

/** Sends a message of the newest protocol version. */
export function message(token: string | undefined, { method, name, params = {}, headers = {} }: Message) {
  return send("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": name }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: ENVELOPE } }),
  });
}

export type Answer = {
  status: number;
  challenge: string | null;
  result: { isError?: boolean; structuredContent?: unknown; content?: { type: string; text: string }[] } & Record<
    string,
    unknown
  >;
  /** Error code if the call was refused. */
  code: string | undefined;
};

/** Calls a tool and parses its answer. */
export async function callTool(token: string | undefined, name: string, given: object = {}): Promise<Answer> {
  const response = await message(token, { method: "tools/call", name, params: { name, arguments: given } });
  const body = (await response.json()) as { result?: Answer["result"] };
  const result = body.result ?? {};
  const text = result.content?.[0]?.text;
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    result,
    code:
      result.isError && text !== undefined ? (JSON.parse(text) as { error: { code: string } }).error.code : undefined,
  };
}

/** Issues an access token with these scopes for a person's workspace. */
export const tokenFor = async (
  person: { cookie: string },
  workspaceId: string,
  scopes: readonly string[] = SCOPES,
): Promise<string> => (await connect({ workspaceId, cookie: person.cookie, scopes })).accessToken;
