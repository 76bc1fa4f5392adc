import { z } from "zod";

import { idPattern } from "./ids";
import { Instant } from "./fields";
import { defineOperation } from "./operation";

/** Maximum clock difference between the proxy and the service. */
export const VISITOR_SKEW_SECONDS = 60;

const VISITOR_MAX_LENGTH = 12_000;

export const VisitorHeader = z
  .string()
  .max(VISITOR_MAX_LENGTH)
  .regex(/^v1\.key_[0-9a-f]{32}\.[0-9]{1,12}\.[A-Za-z0-9_-]{1,11000}\.[A-Za-z0-9_-]{43}$/)
  .describe(
    "Sent by a proxy of the site, never by a browser: the visitor's IP address, headers and token, signed with the secret of the site's API key",
  );

export const VisitorPayload = z.strictObject({
  /** The visitor's IPv4 or IPv6 address, without a port. */
  address: z.string().max(64),
  /** The visitor's token as kept by the proxy, or empty. Omitted by a proxy that keeps none: then the page does. */
  token: z.string().max(400).optional(),
  /**
   * Headers of the visitor's request by lower-case name, in order of arrival; without a value if the service need not read
   * it. If omitted, the headers of the forwarded request count.
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
  summary: "Get the secret for a proxy of the site to sign with",
  description:
    "For the server that forwards challenges and submissions of the site's visitors: it uses the secret to sign which visitor each request is for. The secret gives no more access than the key itself, ends with it, and has to be requested again before `expires_at`.",
  security: "apiKey",
  bodyLimitBytes: 0,
  responses: {
    200: z.strictObject({
      key_id: z.string().regex(idPattern("apiKey")).describe("Id of the API key; part of every signature"),
      secret: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/)
        .describe("Signing key, as text; sensitive"),
      issued_at: Instant.describe("The service's time: use it if the clocks differ"),
      expires_at: Instant.describe("The secret is valid until then, as long as its API key is usable"),
    }),
  },
  errors: ["auth_failed", "rate_limited"],
});
