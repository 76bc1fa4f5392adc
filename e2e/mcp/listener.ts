import { sendMessage } from "./raw-message";

const VERSION = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "listener", version: "1" },
};

/** Opens a notification stream that stays open until it is closed by either side. */
export async function openListener(url: string, token: string): Promise<{ hasEnded: () => Promise<boolean> }> {
  const method = "subscriptions/listen";
  const response = await sendMessage(url, {
    token,
    headers: { "MCP-Protocol-Version": VERSION, "Mcp-Method": method },
    method,
    params: { notifications: { toolsListChanged: true }, _meta: ENVELOPE },
  });
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  if (!first.includes("acknowledged")) throw new Error(`no stream of notifications: ${response.status} ${first}`);
  return { hasEnded: async () => (await reader?.read())?.done ?? false };
}
