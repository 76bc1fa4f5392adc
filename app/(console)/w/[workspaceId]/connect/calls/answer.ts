import { listClients } from "@/lib/interfaces/oauth";
import type { Context } from "@/lib/platform/context";
import type { McpCallsAnswer } from "../_components/mcp-wait";

/** The person's clients in a workspace, and those that called a tool after the watermark. */
export async function answerMcpCalls(context: Context, workspaceId: string, since: Date): Promise<McpCallsAnswer> {
  const clients = await listClients(context, { workspaceId, isAll: false });
  const called = clients.find(({ lastCalledAt }) => lastCalledAt !== null && lastCalledAt >= since);
  return {
    connected: clients.map(({ clientName }) => clientName),
    called: called ? { client: called.clientName, tool: called.lastTool ?? "" } : null,
  };
}
