import { type Client, connected, endOf, runIn, signIn } from "./client";

export const codex: Client = {
  name: "Codex",
  from: "@openai/codex",
  async connect(place) {
    const add = ["mcp", "add", "imprint", "--url", `${place.url}/mcp`];
    const { attempts, ...signedIn } = await signIn(place, "codex", add);
    const listed = await runIn(place.folder, "codex", ["mcp", "list", "--json"]);
    const isConnected = signedIn.code === 0 && /o_?auth/i.test(listed.output);
    return isConnected ? connected(attempts) : { isConnected, says: `${endOf(signedIn)}; ${endOf(listed)}` };
  },
};
