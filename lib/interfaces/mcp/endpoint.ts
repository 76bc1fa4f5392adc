import type { McpServer } from "@modelcontextprotocol/server";
import { createMcpHandler } from "mcp-handler";

import { version } from "@/package.json";

type Options = Omit<NonNullable<Parameters<typeof createMcpHandler>[1]>, "serverInfo" | "maxSubscriptions">;

/** What answers messages of either generation of the protocol, without a session; `fill` gives each its server. */
export const openEndpoint = (
  fill: (server: McpServer) => void,
  options: Options,
): ((request: Request) => Promise<Response>) =>
  createMcpHandler(fill, { serverInfo: { name: "imprint", version }, maxSubscriptions: 64, ...options });
