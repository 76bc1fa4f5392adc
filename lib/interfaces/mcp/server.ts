import { AsyncLocalStorage } from "node:async_hooks";

import { createMcpHandler } from "mcp-handler";
import type { AuthInfo, McpServer, RegisteredTool } from "@modelcontextprotocol/server";

import { covers } from "@/lib/interfaces/oauth";
import { version } from "@/package.json";
import { advertise } from "./advertise";
import { callTool } from "./call-tool";
import { getHistory } from "./get-history";
import { getReport } from "./get-report";
import { getUsage } from "./get-usage";
import type { Tool, ToolContext } from "./tool";

const TOOLS = [getReport, getHistory, getUsage];

const INSTRUCTIONS =
  "Imprint tells device identity and access risk of visits to a site. You see those of one workspace. An imprint (imp_ and 32 hex digits) names one visit. " +
  "Read its Report with svc_get_report; read when the device was seen with svc_get_history (Pro and Enterprise); see what the workspace used with svc_get_usage. " +
  "No tool changes or links anything; svc_get_report uses one report unit the first time that an imprint is read. " +
  "PASS means that nothing needs attention, SUSPICIOUS that the result should be weighed with what else is known, DECEPTIVE that there are clear high-risk indicators. " +
  'A failed call returns {"error": {"code", "message"}}.';

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const isTool = (name: string): boolean => TOOLS.some((tool) => tool.name === name);

/** Key of the tool context that `serveMcp` attaches to a request. */
export const FACTS = "imprint";

const factsOf = (authInfo: AuthInfo | undefined): ToolContext => {
  const facts = authInfo?.extra?.[FACTS];
  if (!facts) throw new Error("a tool was called without a tool context");
  return facts as ToolContext; // safe: only `serveMcp` sets it
};

function register(server: McpServer, tool: Tool): RegisteredTool {
  const { name, title, description, input, output, scopeOf } = tool;
  return server.registerTool(
    name,
    {
      title,
      description,
      annotations: { title, ...ANNOTATIONS },
      inputSchema: advertise(input, false),
      outputSchema: advertise(output, true),
      // Only the scope that this call lacks: the client accumulates scopes.
      scopeChallenge({ request, authInfo }) {
        const given = (request.params?.["arguments"] ?? {}) as Record<string, unknown>;
        const scope = scopeOf(given);
        return covers(authInfo?.scopes ?? [], scope) ? undefined : { scopes: [scope] };
      },
    },
    (given: unknown, { http }) => callTool(tool, factsOf(http?.authInfo), given),
  );
}

type Access = ToolContext["principal"]["access"];

/** For whom tools are listed; nothing where one is called, since a refusal says more than an unknown tool. */
const listing = new AsyncLocalStorage<Access>();

const answer = createMcpHandler(
  (server) => {
    const access = listing.getStore();
    for (const tool of TOOLS) register(server, tool).enabled = !access || tool.isFor(access);
  },
  { serverInfo: { name: "imprint", version }, instructions: INSTRUCTIONS, maxSubscriptions: 64 },
);

/**
 * Answers an authenticated request in either version of the protocol, without a session.
 *
 * @param method of the message
 */
export const answerMcp = (
  request: Parameters<typeof answer>[0],
  { method, access }: { method: string | undefined; access: Access },
): Promise<Response> => (method === "tools/list" ? listing.run(access, () => answer(request)) : answer(request));
