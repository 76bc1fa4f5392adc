const json = (value: unknown) => JSON.stringify(value, undefined, 2);

/**
 * Configuration of common Model Context Protocol clients. Each discovers the authorization server by itself.
 * Sources: the clients' own documentation, November 2026.
 */
export const mcpSnippets = (url: string): { name: string; language: string; code: string }[] => [
  { name: "Claude Code", language: "bash", code: `claude mcp add --transport http imprint ${url}` },
  { name: "Cursor", language: "json", code: json({ mcpServers: { imprint: { url } } }) },
  { name: "VS Code", language: "json", code: json({ servers: { imprint: { type: "http", url } } }) },
  { name: "Codex", language: "bash", code: `codex mcp add imprint --url ${url}\ncodex mcp login imprint` },
  { name: "Gemini CLI", language: "json", code: json({ mcpServers: { imprint: { httpUrl: url } } }) },
  {
    name: "Other",
    language: "json",
    code: json({ mcpServers: { imprint: { command: "npx", args: ["-y", "mcp-remote", url] } } }),
  },
];

/** The configuration file or command of each client. */
export const MCP_PLACES: readonly { name: string; place: string }[] = [
  { name: "Claude Code", place: "Run it, then /mcp in a session to sign in." },
  { name: "Cursor", place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project." },
  { name: "VS Code", place: ".vscode/mcp.json in a project, or MCP: Add Server." },
  { name: "Codex", place: "Run both lines." },
  { name: "Gemini CLI", place: "~/.gemini/settings.json, then /mcp auth imprint." },
  {
    name: "Claude Desktop, ChatGPT",
    place: "Settings, Connectors, a custom connector with the address above; it must be reachable from the internet.",
  },
  { name: "Other", place: "For clients that start programs only: a bridge that speaks HTTP for them." },
];
