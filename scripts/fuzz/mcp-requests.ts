import fc from "fast-check";

import { type Draw, hostileText, hostileValue, misspell, mutate } from "./draw";
import { arbitraryOf, type Schema } from "./from-schema";
import { finish, type FuzzRequest } from "./request";
import type { Pairs } from "./wire";
import type { Fixtures } from "./fixtures";

const VERSIONS = ["2025-11-25", "2025-06-18", "2026-07-28", "2024-11-05"];
const METHODS = [
  ...[
    "initialize",
    "ping",
    "tools/list",
    "resources/list",
    "prompts/list",
    "prompts/get",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "notifications/initialized",
  ],
  ...["tools/call", "logging/setLevel", "completion/complete", "__proto__", ""],
];
const CLIENT = { name: "fuzz", version: "1" };

function argumentsOf(draw: Draw, fixtures: Fixtures, tool: string, schema: Schema): Record<string, unknown> {
  const drawn = draw.from(arbitraryOf(schema, () => ({}))) as Record<string, unknown>; // safe: tools take objects
  const imprint = draw.pick(fixtures.visits).imprint;
  const given: Record<string, unknown> = { ...drawn, ...("imprint" in drawn && { imprint }) };
  // The two ways of giving a range are mutually exclusive.
  if (tool !== "svc_get_report" && draw.chance(0.8))
    for (const name of ["from", "to"]) Reflect.deleteProperty(given, name);
  if (draw.chance(0.8)) Reflect.deleteProperty(given, "account_ref");
  return given;
}

const DOCUMENTS = ["docs/risk.md", "docs/api.md?part=2", "docs/errors/auth_failed.md", "docs/none.md", "../x"];

/** Parameters of messages other than tool calls, some of them invalid. */
function paramsOf(draw: Draw, method: string, protocolVersion: string): unknown {
  const isMutated = draw.chance(0.5);
  const given: Record<string, object> = {
    initialize: { protocolVersion, capabilities: {}, clientInfo: CLIENT },
    "prompts/get": {
      name: draw.pick(["investigate_lockout", "investigate_attack", "weekly_review", "none"]),
      arguments: { account: hostileText(draw), about: hostileText(draw) },
    },
    "resources/read": { uri: `http://localhost:3000/${draw.pick(DOCUMENTS)}` },
  };
  const params = given[method] ?? {};
  return isMutated && method !== "initialize" ? mutate(draw, params) : params;
}

function messageOf(draw: Draw, fixtures: Fixtures): { operation: string; message: unknown } {
  const id = draw.pick<unknown>([1, "a", 0, draw.from(fc.string({ maxLength: 8 }))]);
  const version = draw.pick(VERSIONS);
  if (draw.chance(0.25)) {
    const method = draw.pick(METHODS);
    const params = paramsOf(draw, method, version);
    return { operation: "mcp, others", message: { jsonrpc: "2.0", id, method, params } };
  }
  const tool = draw.pick(fixtures.tools);
  const given: unknown = argumentsOf(draw, fixtures, tool.name, tool.inputSchema);
  const wrong = draw.chance(0.5) ? mutate(draw, given) : given;
  const params = { name: tool.name, arguments: wrong };
  return { operation: tool.name, message: { jsonrpc: "2.0", id, method: "tools/call", params } };
}

function tokenOf(draw: Draw, fixtures: Fixtures): Pairs {
  const token = draw.pick(fixtures.accessTokens);
  if (draw.chance(0.85)) return [["Authorization", `Bearer ${token}`]];
  const wrong: Pairs[] = [
    [],
    [["Authorization", `Bearer ${fixtures.oauth.narrow}`]],
    [["Authorization", `Bearer ${token.slice(0, -1)}`]],
    [["Authorization", `Bearer ${fixtures.site.apiKey}`]],
    [["Authorization", `Bearer ${hostileText(draw)}`]],
    [["X-API-Key", fixtures.site.apiKey]],
    [["Cookie", fixtures.sessions.owner]],
  ];
  return draw.pick(wrong);
}

/** Builds a tool call or another protocol message. */
export function buildMcpRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const { operation, message } = messageOf(draw, fixtures);
  const odd = draw.chance(0.15) ? mutate(draw, message) : message;
  const sent = draw.chance(0.03) ? draw.pick([[odd, odd], [], hostileValue(draw)]) : odd;
  const text = (JSON.stringify(sent) as string | undefined) ?? "";
  const headers: Pairs = [
    ...tokenOf(draw, fixtures),
    ["Content-Type", "application/json"],
    ["Accept", draw.chance(0.95) ? "application/json, text/event-stream" : draw.pick(["*/*", "text/html", ""])],
    ...(draw.chance(0.3) ? ([["MCP-Protocol-Version", draw.pick([...VERSIONS, "x"])]] as Pairs) : []),
  ];
  const body = draw.chance(0.06) ? misspell(draw, text) : Buffer.from(text);
  return finish(draw, { operation, kind: "mcp", method: "POST", path: "/mcp", headers, body }, 0.08);
}
