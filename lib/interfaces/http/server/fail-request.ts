import type { ServerResponse } from "node:http";

import { log } from "@/lib/platform/log";
import { sendText } from "./answers";
import { setCommonHeaders } from "./page-headers";

type Request = { operation: string; requestId: string; isHttps: boolean };

/** Answers a request whose handler threw, as far as it still can, and logs why. */
export function failRequest(res: ServerResponse, error: unknown, { operation, requestId, isHttps }: Request): void {
  if (res.destroyed || res.writableFinished) return; // the client went away
  log.error({ err: error, operation, requestId }, "request failed");
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setCommonHeaders(res, requestId, isHttps);
  sendText(res, 500, `Something went wrong on our side. Request ${requestId}.\n`);
}
