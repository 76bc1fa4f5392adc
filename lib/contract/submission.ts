import { z } from "zod";

import { EnvironmentId, Imprint, Instant } from "./fields";
import { defineOperation } from "./operation";
import { VisitorHeader } from "./visitor";
import { VISITOR_HEADER } from "./visitor-text";
import { Signals, SIGNALS_VERSION, SUBMISSION_MAX_BYTES, Timings } from "./signals";

const DeviceToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,200}$/)
  .describe("Signed token of this browser installation; opaque");

const Challenge = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,400}$/)
  .describe("Single use, valid for 120 seconds");

const Surface = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/)
  .describe("Business surface of the visit, as History lists it");

const headers = z.strictObject({ [VISITOR_HEADER]: VisitorHeader.optional() });

/** Errors of a signature by the site's proxy. */
const VISITOR_ERRORS = ["visitor_signature_invalid", "visitor_signature_expired", "visitor_key_refused"] as const;

export const issueChallengeOperation = defineOperation({
  id: "issueChallenge",
  method: "POST",
  path: "/api/v1/imprints/challenge",
  summary: "Request a challenge before a submission",
  description: "Called by the browser component. A new device token is issued if none or an unusable one is sent.",
  security: "origin",
  headers,
  body: z.strictObject({ environment_id: EnvironmentId, token: z.string().max(400).optional() }),
  bodyLimitBytes: 2 * 1024,
  addressLimit: "challenge",
  responses: {
    200: z.strictObject({
      challenge: Challenge,
      expires_at: Instant,
      token: DeviceToken.optional(),
      probe: z
        .strictObject({ urls: z.array(z.string()), username: z.string(), credential: z.string() })
        .optional()
        .describe("One-time credentials of the address probe, if the operator has configured it"),
    }),
  },
  errors: [
    "invalid_request",
    "origin_not_allowed",
    "environment_disabled",
    "environment_not_found",
    "rate_limited",
    "request_limit_reached",
    ...VISITOR_ERRORS,
  ],
});

/** Computed by the component once the challenge has arrived; see `challenge-proof.ts`. */
const Proof = z
  .strictObject({
    drawing: z
      .string()
      .regex(/^([0-9a-f]{48})?$/)
      .describe("Colours of the squares that the challenge asks to paint; empty if they cannot be read back"),
    digest: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .describe("Digest of the body's own text up to this member, which comes last"),
  })
  .describe("Binds the submission to its challenge. If it is missing or wrong, the visit is SUSPICIOUS");

export const SubmissionBody = z.strictObject({
  v: z.literal(SIGNALS_VERSION),
  environment_id: EnvironmentId,
  challenge: Challenge,
  token: z.string().max(400).optional(),
  surface: Surface.optional(),
  signals: Signals,
  timings: Timings,
  proof: Proof.optional(),
});

export const submitImprintOperation = defineOperation({
  id: "submitImprint",
  method: "POST",
  path: "/api/v1/imprints",
  summary: "Submit a visit and receive its imprint",
  description:
    "Called by the browser component. Sending the identical body again, after a lost response, returns the same imprint; a different body with a used challenge is refused.",
  security: "origin",
  headers,
  body: SubmissionBody,
  bodyLimitBytes: SUBMISSION_MAX_BYTES,
  addressLimit: "submission",
  responses: {
    201: z.strictObject({
      imprint: Imprint,
      token: DeviceToken.optional().describe(
        "Device token to keep instead of the one sent: its next generation, or a new token if the one sent was a copy",
      ),
    }),
  },
  errors: [
    "invalid_request",
    "challenge_expired",
    "origin_not_allowed",
    "environment_disabled",
    "environment_not_found",
    "challenge_used",
    "rate_limited",
    "request_limit_reached",
    ...VISITOR_ERRORS,
  ],
});
