import { AsyncLocalStorage } from "node:async_hooks";

import type { AuthInfo, McpServer, RegisteredTool } from "@modelcontextprotocol/server";

import { covers } from "@/lib/interfaces/oauth";
import { advertise } from "./advertise";
import { callTool } from "./call-tool";
import { openEndpoint } from "./endpoint";
import { explainReport } from "./explain-report";
import { findVisitsTool } from "./find-visits";
import { getDevice } from "./get-device";
import { getHistory } from "./get-history";
import { getReport } from "./get-report";
import { getUsage } from "./get-usage";
import { type Documents, registerDocuments } from "./documents";
import { registerPrompts } from "./prompts";
import type { Tool, ToolContext } from "./tool";

const TOOLS = [findVisitsTool, explainReport, getReport, getDevice, getHistory, getUsage];
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

export const INSTRUCTIONS =
  "Imprint reports device identity and access risk of visits to a site. You see the visits of one workspace. An imprint (imp_ and 32 hex digits) identifies one visit, dev_… a device, acc_… an account of the site. " +
  "Start with svc_find_visits, by account, address, network, device, reason, status or time; it is the only way to find an imprint. Why a visit got its verdict: svc_explain_report. One device: svc_get_device. " +
  "The Report as the site's server gets it: svc_get_report, which uses one report unit the first time an imprint is read. Visits of a device by day: svc_get_history (Pro and Enterprise). The workspace's usage: svc_get_usage. " +
  "No tool changes or links anything. Days and times are UTC. Ids from one answer can be used as arguments of the next call. " +
  "PASS means that nothing needs attention, SUSPICIOUS that the result should be weighed with what else is known, DECEPTIVE that there are clear high-risk indicators. " +
  'A failed call returns {"error": {"code", "message"}}.';

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const isTool = (name: string): boolean => TOOL_NAMES.includes(name);

/** Key under which `serveMcp` attaches the tool context to a request. */
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
      inputSchema: advertise(input, { isChecked: false, isOutlined: false }),
      outputSchema: advertise(output, { isChecked: true, isOutlined: true }),
      // Only the scope that this call lacks, since the client accumulates scopes.
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

/** The method of the message, and its sender's access. */
type Asked = { method: string | undefined; access: Access };

const asked = new AsyncLocalStorage<Asked>();

/**
 * Lists only the tools that the person may use. Calls of other tools are still answered, with a refusal that says more
 * than "unknown tool".
 */
function registerTools(server: McpServer, { method, access }: Asked): void {
  for (const tool of TOOLS) register(server, tool).enabled = method !== "tools/list" || tool.isFor(access);
}

type McpRequest = Request & { auth?: AuthInfo };

/** Creates the stateless handler of authenticated requests, for both protocol versions. */
export function createMcp(documents: Documents): (request: McpRequest, by: Asked) => Promise<Response> {
  const answer = openEndpoint(
    (server) => {
      const by = asked.getStore();
      if (!by) throw new Error("a message was answered for nobody");
      registerTools(server, by);
      if (by.method === "tools/call") return;
      registerPrompts(server);
      registerDocuments(server, documents);
    },
    { instructions: INSTRUCTIONS },
  );
  return (request, by) => asked.run(by, () => answer(request));
}
