import type { AddressLimit } from "@/lib/contract/operation";
import { env } from "@/lib/platform/env";
import { CATALOG_LIMITS } from "./catalog-limits";
import { type Limit, limitOf } from "./domain/gcra";

/** Requests per minute. The whole minute's quota may be used in one burst. */
const perMinute = (name: string, requests: number): Limit => ({ name, ratePerSecond: requests / 60, burst: requests });

/** Limits per client IP; an IPv6 /64 counts as one address. */
export const ADDRESS_LIMITS: Record<AddressLimit, Limit> = {
  challenge: { name: "challenge", ratePerSecond: 10, burst: 40 },
  submission: { name: "submission", ratePerSecond: 10, burst: 40 },
  catalog: { name: "catalog", ratePerSecond: 10, burst: 20 },
  intentCreation: perMinute("intent-creation", CATALOG_LIMITS.intent_creates_per_ip_per_minute),
  intentActivation: { name: "intent-activation", ratePerSecond: 10, burst: 40 },
  intentStatus: { name: "intent-status", ratePerSecond: 10, burst: 20 },
  failedAuthentication: { name: "failed-authentication", ratePerSecond: 0.5, burst: 30 },
  oauthRegistration: {
    name: "oauth-registration",
    ratePerSecond: env.MCP_REGISTRATIONS_PER_HOUR / 3600,
    burst: env.MCP_REGISTRATIONS_PER_HOUR,
  },
  oauthAuthorization: { name: "oauth-authorization", ratePerSecond: 2, burst: 20 },
  oauthToken: { name: "oauth-token", ratePerSecond: 10, burst: 20 },
};

/** Sign-in links per client, for any e-mail addresses. */
export const SIGN_IN_LIMIT: Limit = { name: "sign-in", ratePerSecond: 10 / 60, burst: 20 };

/** Sign-in links per e-mail address, so that strangers cannot flood a mailbox. */
export const SIGN_IN_LINK_LIMIT: Limit = { name: "sign-in-link", ratePerSecond: 1 / 180, burst: 5 };

/** Request rate of one MCP client. */
export const CLIENT_LIMIT: Limit = { name: "client", ratePerSecond: 10, burst: 20 };

/** Request rate of one API key: its plan's requests per second, with a burst of one second's worth. */
export const keyLimit = (requestsPerSecond: number): Limit => limitOf("key", requestsPerSecond, requestsPerSecond);

/** Request rate of one management key. */
export const MANAGEMENT_LIMIT: Limit = { name: "management", ratePerSecond: 5, burst: 20 };

/** Activations of one intent from one client IP. */
export const ACTIVATION_LIMIT = perMinute("activation", CATALOG_LIMITS.intent_activations_per_ip_and_intent_per_minute);

/** Submission rate of one trial's environment. */
export const environmentLimit = (requestsPerSecond: number): Limit =>
  limitOf("environment", requestsPerSecond, requestsPerSecond);

/** Behaviour while the limiter is unavailable: fail closed where purchases start. */
export const failureModeOf = (limit: AddressLimit): "open" | "closed" =>
  limit === "intentCreation" || limit === "intentActivation" ? "closed" : "open";
