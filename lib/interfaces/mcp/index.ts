import type { Documents } from "./documents";

type Answer = (request: Request) => Promise<Response>;

/**
 * Answers messages of the Model Context Protocol. What does is loaded for the first one: it takes a fifth of the start
 * of a process, and most have no client that speaks it.
 */
export function openMcp(documents: Documents): Answer {
  let opened: Promise<Answer> | undefined;
  const open = async () => (await import("./serve-mcp")).openMcp(documents);
  return async (request) => await (await (opened ??= open()))(request);
}
