import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { deriveKey, hmac } from "@/lib/platform/secrets";

/**
 * Header that marks requests which the service makes to itself: when a server action redirects, Next fetches the target
 * page with the headers of the original request, including those added by the server entry.
 */
const OWN_REQUEST_HEADER = "x-imprint-own-request";

const token = (): Buffer => hmac(deriveKey("own request"), "token");

/** Marks the headers passed to the pages. */
export function markOwnRequest(headers: IncomingHttpHeaders): void {
  headers[OWN_REQUEST_HEADER] = token().toString("hex");
}

/** Whether a request comes from this service's own pages. */
export function isOwnRequest(headers: IncomingHttpHeaders): boolean {
  const sent = headers[OWN_REQUEST_HEADER];
  if (typeof sent !== "string") return false;
  const [presented, expected] = [Buffer.from(sent, "hex"), token()];
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
