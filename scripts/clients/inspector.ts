import { accessToken, SCOPES } from "../common/oauth-user";
import { type Client, endOf, runIn } from "./client";
import { NODE_22, programOf } from "./install";

/** Its command-line mode, which needs a token: it asks for consent only in an interactive terminal. */
export const inspector: Client = {
  name: "MCP Inspector",
  from: "@modelcontextprotocol/inspector",
  async connect({ url, user, workspaceId, folder }) {
    const token = await accessToken(url, user, { workspaceId, scopes: SCOPES });
    const server = ["--cli", `${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
    const ask = async (...what: string[]) =>
      await runIn(folder, NODE_22, [programOf("mcp-inspector"), ...server, ...what]);
    const answers = [
      await ask("--method", "tools/list", "--strict"),
      await ask("--method", "tools/call", "--tool-name", "svc_find_visits", "--tool-arg", "limit=1"),
      await ask("--method", "prompts/list"),
      await ask("--method", "resources/list"),
    ];
    const failed = answers.find(({ code }) => code !== 0);
    return {
      isConnected: !failed,
      says: failed ? endOf(failed) : "lists tools (strictly), prompts and resources, calls a tool",
    };
  },
};
