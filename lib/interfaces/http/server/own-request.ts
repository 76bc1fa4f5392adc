import type { IncomingHttpHeaders } from "node:http";

import { deriveKey, hmac } from "@/lib/platform/secrets";

/**
 * Header by which the service knows what it asks itself: where an action redirects, Next reads the page behind it with the
 * headers of the request, those that the entry adds for it among them.
 */
const OWN_REQUEST_HEADER = "x-imprint-own-request";

const token = (): string => hmac(deriveKey("own request"), "token").toString("hex");

/** Marks what is given to the pages. */
export function markOwnRequest(headers: IncomingHttpHeaders): void {
  headers[OWN_REQUEST_HEADER] = token();
}

/** Whether a request comes from the pages of this service. */
export const isOwnRequest = (headers: IncomingHttpHeaders): boolean => headers[OWN_REQUEST_HEADER] === token();
