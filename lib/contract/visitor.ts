import { z } from "zod";

import { idPattern } from "./ids";
import { Instant } from "./fields";
import { defineOperation } from "./operation";

/** How far the times of the proxy and of the service may differ. */
export const VISITOR_SKEW_SECONDS = 60;

const VISITOR_MAX_LENGTH = 12_000;

export const VisitorHeader = z
  .string()
  .max(VISITOR_MAX_LENGTH)
  .regex(/^v1\.key_[0-9a-f]{32}\.[0-9]{1,12}\.[A-Za-z0-9_-]{1,11000}\.[A-Za-z0-9_-]{43}$/)
  .describe(
    "Sent by a proxy of the site, never by a browser: the visitor's address, headers and token, signed with the secret of the site's API key",
  );

export const VisitorPayload = z.strictObject({
  /** Of the visitor: IPv4 or IPv6, without a port. */
  address: z.string().max(64),
  /** What the proxy keeps as the visitor's token, or empty. Left out by a proxy that keeps none: then the page does. */
  token: z.string().max(400).optional(),
  /**
   * Headers of the visitor's request by lower-case name, in the order of arrival; without a value those that the
   * service need not read. Left out: those of the forwarded request count.
   */
  headers: z
    .array(z.union([z.tuple([z.string().max(64)]), z.tuple([z.string().max(64), z.string().max(2048)])]))
    .max(64)
    .optional(),
});

export const readProxyKeyOperation = defineOperation({
  id: "readProxyKey",
  method: "POST",
  path: "/api/v1/imprints/proxy-key",
  summary: "Get the secret with which a proxy of the site signs",
  description:
    "For the server that forwards challenges and submissions of the site's visitors: with the secret it signs whom each request is for. The secret says no more than the key itself, ends with it, and is asked for again before `expires_at`.",
  security: "apiKey",
  bodyLimitBytes: 0,
  responses: {
    200: z.strictObject({
      key_id: z.string().regex(idPattern("apiKey")).describe("Id of the API key, which every signature names"),
      secret: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/)
        .describe("Key of the signatures, as text; sensitive"),
      issued_at: Instant.describe("The service's time: sign by it where the clocks differ"),
      expires_at: Instant.describe("The secret signs until then, and as long as its API key is usable"),
    }),
  },
  errors: ["auth_failed", "rate_limited"],
});
