import type { McpServer } from "@modelcontextprotocol/server";
import { createMcpHandler } from "mcp-handler";

import { version } from "@/package.json";

type Options = Omit<NonNullable<Parameters<typeof createMcpHandler>[1]>, "serverInfo" | "maxSubscriptions">;

/** Creates a stateless handler for both protocol versions; `fill` sets up the server for each message. */
export const openEndpoint = (
  fill: (server: McpServer) => void,
  options: Options,
): ((request: Request) => Promise<Response>) =>
  createMcpHandler(fill, { serverInfo: { name: "imprint", version }, maxSubscriptions: 64, ...options });
