import type { ServerResponse } from "node:http";

import { failedStatement } from "@/db/statement-name";
import { log } from "@/lib/platform/log";
import { sendText } from "./answers";
import { setCommonHeaders } from "./page-headers";

type Request = {
  operation: string;
  requestId: string;
  isHttps: boolean;
  /** In milliseconds of the monotonic clock. */
  startedAt?: number;
};

/** Answers a request whose handler threw, if that is still possible, and logs the error. */
export function failRequest(res: ServerResponse, error: unknown, request: Request): void {
  if (res.destroyed || res.writableFinished) return; // the client went away
  const { operation, requestId, isHttps, startedAt } = request;
  const durationMs = startedAt === undefined ? undefined : Math.round(performance.now() - startedAt);
  const statement = failedStatement(error);
  log.error({ err: error, operation, status: 500, durationMs, statement, requestId }, "request failed");
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setCommonHeaders(res, requestId, isHttps);
  sendText(res, 500, `Something went wrong on our side. Request ${requestId}.\n`);
}
