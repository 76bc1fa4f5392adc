import type { Documents } from "./documents";

type Answer = (request: Request) => Promise<Response>;

/**
 * Answers MCP messages. The implementation is loaded with the first one: it takes a fifth of a process's startup, and
 * most processes have no MCP client.
 */
export function openMcp(documents: Documents): Answer {
  let opened: Promise<Answer> | undefined;
  const open = async () => (await import("./serve-mcp")).openMcp(documents);
  return async (request) => await (await (opened ??= open()))(request);
}
