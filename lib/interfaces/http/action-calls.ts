import type { IncomingMessage, ServerResponse } from "node:http";

import { sharedValue } from "@/lib/platform/shared-state";

/** Ids of requests whose server action has started. */
const begun = sharedValue("actionCalls", () => new Set<string>());

/** Marks a request's server action as started: a failure from here on is a server error. */
export const markActionStarted = (requestId: string): void => void begun.add(requestId);

/**
 * Next answers a server action call that it cannot parse with 500 before any of our code runs. That is a client error,
 * so the status becomes 400.
 */
export function reportAsClientError(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  if (req.method !== "POST") return;
  res.once("close", () => begun.delete(requestId));
  // Without JavaScript, a page's form names its action in a form field instead of this header.
  if (req.headers["next-action"] === undefined) return;
  const writeHead = res.writeHead.bind(res);
  res.writeHead = (status: number, ...rest: []) =>
    writeHead(status === 500 && !begun.has(requestId) ? 400 : status, ...rest);
}
