import { type IncomingMessage, request, type ServerResponse } from "node:http";

import { rateLimitKey } from "@/lib/platform/addresses";
import { log } from "@/lib/platform/log";
import { isHopByHop } from "../hop-by-hop";
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage } from "../plain-page";
import { sendText } from "./answers";
import type { PageBudget } from "./page-budget";
import { createPageGate, type FullFor, type GateLimits } from "./page-gate";

/** A page costs 10 to 30 ms of one core, and a browser opens six connections. */
const LIMITS: GateLimits = { maxActive: 16, maxActivePerClient: 6, maxWaiting: 1_000, maxWaitingPerClient: 100 };
const UNKNOWN_CLIENT = "unknown";
/** Larger than any page. Beyond it the pages process has to wait for the reader, as exports do. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const RETRY_AFTER = { "Retry-After": "2" };
/**
 * Delay before a refusal. A client refused at once would reconnect at once, which costs more than letting it wait; a
 * client that exceeded its own limit waits longest. The delay varies by ±50 %, so that clients refused together do not
 * return together.
 */
const REFUSAL_DELAY_MS: Record<FullFor, number> = { client: 10_000, everybody: 3_000 };

const BODY_HEADERS = new Set(["content-length", "transfer-encoding"]);

/** Whether a request can be sent again if the process that received it is gone. Pages read no body of these methods. */
const isRepeatable = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Whether Next's router or the browser is prefetching the page, before anyone has asked for it. */
const isPrefetch = ({ headers }: IncomingMessage) =>
  headers["next-router-prefetch"] !== undefined || headers["sec-purpose"]?.includes("prefetch") === true;

function requestHeaders(req: IncomingMessage) {
  const hasBody = !isRepeatable(req);
  const kept = Object.entries(req.headers).filter(([name]) => (BODY_HEADERS.has(name) ? hasBody : !isHopByHop(name)));
  // The side that closes while a body is being sent breaks the connection, so this side closes it, once it has the
  // answer.
  return { ...Object.fromEntries(kept), connection: "keep-alive" };
}

function copyHead(answer: IncomingMessage, res: ServerResponse): void {
  res.statusCode = answer.statusCode ?? 502;
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    const [first = "", ...others] = values;
    if (!isHopByHop(name)) res.setHeader(name, others.length === 0 ? first : values);
  }
}

/** Copies the body as it arrives, so that a page is streamed; waits for a slow reader only beyond the limit. */
function copyBody(answer: IncomingMessage, res: ServerResponse): void {
  answer.on("data", (chunk: Buffer) => {
    if (res.write(chunk) || res.writableLength < MAX_BUFFERED_BYTES) return;
    answer.pause();
    res.once("drain", () => answer.resume());
  });
}

/** Set by Next when the called action belongs to another build. Its answer is a few words of plain text. */
const UNKNOWN_ACTION_HEADER = "x-nextjs-action-not-found";

/** The page for a form without scripts that comes from an older build; a script shows a message of its own. */
function outdatedPage({ headers, url = "/" }: IncomingMessage, answer: IncomingMessage): string | undefined {
  if (answer.headers[UNKNOWN_ACTION_HEADER] === undefined || headers["next-action"] !== undefined) return undefined;
  return plainPage({
    title: "Out of date",
    heading: "This page is out of date",
    html:
      "<p>The service was upgraded since you opened it. Nothing was done.</p>" +
      `<p><a href="${escapeHtml(url)}">Open the page again</a> and repeat what you were about to do. Your browser’s Back button shows what you typed.</p>`,
  });
}

function replaceBody(res: ServerResponse, html: string): void {
  for (const name of ["ETag", UNKNOWN_ACTION_HEADER]) res.removeHeader(name);
  const headers = { ...PLAIN_PAGE_HEADERS, "Content-Type": "text/html; charset=utf-8" };
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader("Content-Length", Buffer.byteLength(html));
}

/** Resolves when the answer has been copied, or either side is gone. */
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
        log.warn({ err: error }, "the pages process did not answer");
        sendText(res, 503, "The pages are starting. Try again in a few seconds.\n", RETRY_AFTER);
      } else if (!res.writableFinished) res.destroy();
      end();
    };
    res.once("close", end);
    asked.once("error", fail);
    asked.once("response", (answer) => {
      copyHead(answer, res);
      const outdated = outdatedPage(req, answer);
      if (outdated === undefined) copyBody(answer, res);
      else {
        replaceBody(res, outdated);
        answer.resume();
      }
      answer.once("error", fail);
      answer.once("end", () => {
        if (!req.complete) res.shouldKeepAlive = false;
        res.end(outdated);
        resolve();
      });
    });
    if (isRepeatable(req)) asked.end();
    // If the pages do not read the whole body, the answer is still valid.
    else req.pipe(asked);
  });
}

/** Waits, or returns early when the client disconnects. */
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
 * Forwards requests to the pages process, which listens on a socket. Requests queue here and clients take turns, so
 * that no number of page requests can take this process's time or another client's turn.
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
      sendText(res, 429, "Too many pages were requested at once. Try again in a few seconds.\n", RETRY_AFTER);
      return;
    }
    try {
      // The client may have disconnected while it waited.
      if (!res.destroyed) await forward(socketPath, req, res, !isRepeatable(req));
    } finally {
      leave();
    }
  };
}
