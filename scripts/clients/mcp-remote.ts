import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { AUTHORIZE, type Client, decide, environmentOf } from "./client";
import { programOf } from "./install";

const TIMEOUT_MS = 60_000;

/** The bridge for programs that can only start local servers, used as such a program does. */
export const mcpRemote: Client = {
  name: "mcp-remote",
  from: "mcp-remote",
  async connect(place) {
    const env = Object.fromEntries(
      Object.entries(environmentOf(place.folder)).map(([name, value]) => [name, value ?? ""]),
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programOf("mcp-remote"), `${place.url}/mcp`],
      env,
      cwd: place.folder,
      stderr: "pipe",
    });
    const asked = { said: "", hasDecided: false };
    transport.stderr?.on("data", (chunk: Buffer) => {
      asked.said += chunk.toString();
      const address = asked.hasDecided ? undefined : AUTHORIZE.exec(asked.said)?.[0];
      if (address === undefined) return;
      asked.hasDecided = true;
      decide(place, address).catch((error: unknown) => (asked.said += String(error)));
    });
    const client = new McpClient({ name: "Program with local servers", version: "1" });
    try {
      await client.connect(transport, { timeout: TIMEOUT_MS });
      const { tools } = await client.listTools();
      const { isError } = await client.callTool({ name: "svc_get_usage", arguments: {} });
      const isConnected = asked.hasDecided && tools.length > 0 && isError !== true;
      return { isConnected, says: isConnected ? `connected, ${tools.length} tools` : asked.said };
    } catch (error) {
      return { isConnected: false, says: `${String(error)}: ${asked.said.split("\n").slice(-6).join(" | ")}` };
    } finally {
      await client.close();
    }
  },
};
