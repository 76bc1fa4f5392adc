import { type IncomingMessage, request, type ServerResponse } from "node:http";

import { rateLimitKey } from "@/lib/platform/addresses";
import { log } from "@/lib/platform/log";
import { isHopByHop } from "../hop-by-hop";
import { sendText } from "./answers";
import type { PageBudget } from "./page-budget";
import { createPageGate, type FullFor, type GateLimits } from "./page-gate";

/** A page is 10 to 30 ms of one core; a browser opens six connections. */
const LIMITS: GateLimits = { maxActive: 16, maxActivePerClient: 6, maxWaiting: 1_000, maxWaitingPerClient: 100 };
const UNKNOWN_CLIENT = "unknown";
/** Beyond what a page has: an export waits for its reader in the process that makes it. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const RETRY_AFTER = { "Retry-After": "2" };
/**
 * Whoever is refused at once comes back at once, on a new connection: that costs more than to have it wait, longest for
 * whoever asked for too much itself. Those that came together wait from half as long to half as much again, so that they
 * do not come back together.
 */
const REFUSAL_DELAY_MS: Record<FullFor, number> = { client: 10_000, everybody: 3_000 };

const BODY_HEADERS = new Set(["content-length", "transfer-encoding"]);

/** Whether a request can be sent again when the process that it was sent to is gone. Pages read no body of it. */
const isRepeatable = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Of a page that nobody asked for yet: by Next's router, or by the browser itself. */
const isPrefetch = ({ headers }: IncomingMessage) =>
  headers["next-router-prefetch"] !== undefined || headers["sec-purpose"]?.includes("prefetch") === true;

function requestHeaders(req: IncomingMessage) {
  const hasBody = !isRepeatable(req);
  const kept = Object.entries(req.headers).filter(([name]) => (BODY_HEADERS.has(name) ? hasBody : !isHopByHop(name)));
  // Whoever closes while a body is on its way breaks the connection: this side does, once it has the answer.
  return { ...Object.fromEntries(kept), connection: "keep-alive" };
}

function copyHead(answer: IncomingMessage, res: ServerResponse): void {
  res.statusCode = answer.statusCode ?? 502;
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    const [first = "", ...others] = values;
    if (!isHopByHop(name)) res.setHeader(name, others.length === 0 ? first : values);
  }
}

/** Copies as it comes, so that a page arrives in parts; a slow reader is waited for beyond the limit alone. */
function copyBody(answer: IncomingMessage, res: ServerResponse): void {
  answer.on("data", (chunk: Buffer) => {
    if (res.write(chunk) || res.writableLength < MAX_BUFFERED_BYTES) return;
    answer.pause();
    res.once("drain", () => answer.resume());
  });
}

/** Resolves when the answer was copied, or one of both sides is gone. */
function forward(socketPath: string, req: IncomingMessage, res: ServerResponse, isLast: boolean): Promise<void> {
  return new Promise((resolve) => {
    const { method, url: path } = req;
    const asked = request({ socketPath, method, path, headers: requestHeaders(req), agent: false, setHost: false });
    const end = () => {
      asked.destroy();
      resolve();
    };
    const fail = (error: Error) => {
      res.removeListener("close", end);
      if (!res.headersSent && !res.destroyed && !isLast) {
        resolve(forward(socketPath, req, res, true));
        return;
      }
      if (!res.headersSent && !res.destroyed) {
        log.warn({ err: error }, "the process of the pages did not answer");
        sendText(res, 503, "The pages are starting. Try again in a few seconds.\n", RETRY_AFTER);
      } else if (!res.writableFinished) res.destroy();
      end();
    };
    res.once("close", end);
    asked.once("error", fail);
    asked.once("response", (answer) => {
      copyHead(answer, res);
      copyBody(answer, res);
      answer.once("error", fail);
      answer.once("end", () => {
        if (!req.complete) res.shouldKeepAlive = false;
        res.end();
        resolve();
      });
    });
    if (isRepeatable(req)) asked.end();
    // What it refuses to read is no failure of the answer.
    else req.pipe(asked);
  });
}

/** Waits so long, or until the client has gone. */
const waitUnlessClosed = (res: ServerResponse, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      res.removeListener("close", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    res.once("close", end);
  });

/**
 * Answers by the process of the pages, which listens on a socket. Requests wait here for their turn, clients one after
 * another: no number of them takes the time of this process, or the turn of somebody else.
 */
export function openPageGateway(
  socketPath: string,
  {
    limits = LIMITS,
    budget,
    refusalDelayMs = REFUSAL_DELAY_MS,
  }: { limits?: GateLimits; budget?: PageBudget; refusalDelayMs?: typeof REFUSAL_DELAY_MS } = {},
) {
  const gate = createPageGate(limits, budget);
  return async (req: IncomingMessage, res: ServerResponse, address: string | undefined): Promise<void> => {
    const leave = await gate.enter(address === undefined ? UNKNOWN_CLIENT : rateLimitKey(address), {
      isPrefetch: isPrefetch(req),
    });
    if (typeof leave === "string") {
      res.shouldKeepAlive = false;
      await waitUnlessClosed(res, refusalDelayMs[leave] * (0.5 + Math.random()));
      if (res.destroyed) return;
      sendText(res, 429, "Too many pages are asked for at once. Try again in a few seconds.\n", RETRY_AFTER);
      return;
    }
    try {
      // The client may have gone while it waited.
      if (!res.destroyed) await forward(socketPath, req, res, !isRepeatable(req));
    } finally {
      leave();
    }
  };
}
