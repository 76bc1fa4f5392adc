import { createMcpHandler } from "mcp-handler";
import type { AuthInfo, McpServer } from "@modelcontextprotocol/server";

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
  "Imprint tells device identity and access risk of visits to a site. An imprint (imp_ and 32 hex digits) names one visit. " +
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

function register(server: McpServer, tool: Tool): void {
  const { name, title, description, input, output, scopeOf } = tool;
  server.registerTool(
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

/** Answers an authenticated request in either version of the protocol, without a session. */
export const answerMcp = createMcpHandler(
  (server) => {
    for (const tool of TOOLS) register(server, tool);
  },
  { serverInfo: { name: "imprint", version }, instructions: INSTRUCTIONS, maxSubscriptions: 64 },
);
