import { type Client, connected, endOf, inTerminal, runIn, signIn } from "./client";
import { programOf } from "./install";

export const claudeCode: Client = {
  name: "Claude Code",
  from: "@anthropic-ai/claude-code",
  async connect(place) {
    const server = ["--scope", "user", "--transport", "http", "imprint", `${place.url}/mcp`];
    const added = await runIn(place.folder, "claude", ["mcp", "add", ...server]);
    if (added.code !== 0) return { isConnected: false, says: endOf(added) };
    const login = inTerminal(`${programOf("claude")} mcp login imprint --no-browser`);
    const { attempts, ...signedIn } = await signIn(place, ...login);
    const listed = await runIn(place.folder, "claude", ["mcp", "list"]);
    const isConnected = /imprint:.*Connected/.test(listed.output);
    return isConnected ? connected(attempts) : { isConnected, says: `${endOf(signedIn)}; ${endOf(listed)}` };
  },
};
