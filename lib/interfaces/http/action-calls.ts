import type { IncomingMessage, ServerResponse } from "node:http";

const HOLDER = Symbol.for("imprint.actionCalls");

/** Ids of the requests whose action has begun: shared by the two module graphs of one process. */
function begun(): Set<string> {
  const holder = globalThis as { [HOLDER]?: Set<string> | undefined };
  return (holder[HOLDER] ??= new Set<string>());
}

/** Notes that the action of a request runs: what fails from now on is a fault of the service. */
export const markActionStarted = (requestId: string): void => void begun().add(requestId);

/**
 * A call of an action that Next cannot read fails with 500 before any code of ours runs. It is the caller's fault: the
 * answer is 400.
 */
export function blameCaller(req: IncomingMessage, res: ServerResponse, requestId: string): void {
  if (req.method !== "POST") return;
  res.once("close", () => begun().delete(requestId));
  // The form of a page without scripts calls its action by a field.
  if (req.headers["next-action"] === undefined) return;
  const writeHead = res.writeHead.bind(res);
  res.writeHead = (status: number, ...rest: []) =>
    writeHead(status === 500 && !begun().has(requestId) ? 400 : status, ...rest);
}
