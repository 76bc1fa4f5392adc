import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { deriveKey, hmac } from "@/lib/platform/secrets";

/**
 * Header by which the service knows what it asks itself: where an action redirects, Next reads the page behind it with the
 * headers of the request, those that the entry adds for it among them.
 */
const OWN_REQUEST_HEADER = "x-imprint-own-request";

const token = (): Buffer => hmac(deriveKey("own request"), "token");

/** Marks what is given to the pages. */
export function markOwnRequest(headers: IncomingHttpHeaders): void {
  headers[OWN_REQUEST_HEADER] = token().toString("hex");
}

/** Whether a request comes from the pages of this service. */
export function isOwnRequest(headers: IncomingHttpHeaders): boolean {
  const sent = headers[OWN_REQUEST_HEADER];
  if (typeof sent !== "string") return false;
  const [presented, expected] = [Buffer.from(sent, "hex"), token()];
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
