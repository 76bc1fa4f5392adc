import { z } from "zod";

import { EnvironmentId, Instant } from "./fields";
import { idPattern } from "./ids";
import { defineOperation } from "./operation";

/** Scopes of management keys. None allows reading Reports or creating management keys. */
export const MANAGEMENT_SCOPES = ["web_apps", "origins", "keys", "labels"] as const;
export type ManagementScope = (typeof MANAGEMENT_SCOPES)[number];

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const WebAppId = z.string().regex(idPattern("webApp"));
const KeyId = z.string().regex(idPattern("apiKey"));
const Name = z.string().min(1).max(80).describe("Display name");
const Origin = z.string().min(1).max(300).describe("Scheme, host and port, e.g. `https://preview-7.shop.example`");

const AllowedOrigin = z.strictObject({
  origin: z.string(),
  expires_at: Instant.nullable().describe("Visits of the origin are refused from then on; null if permanent"),
});

const WebApp = z
  .strictObject({
    web_app_id: WebAppId,
    environment_id: EnvironmentId,
    name: z.string(),
    state: z.enum(["active", "paused", "archived"]).describe("Only an active Web App accepts visits"),
    origins: z.array(AllowedOrigin),
  })
  .meta({ id: "ManagedWebApp" });

const Key = z
  .strictObject({
    key_id: KeyId,
    name: z.string(),
    preview: z.string().describe("First characters of the key; the secret is shown only once, on creation"),
    state: z.enum(["active", "overlap", "expired", "revoked"]),
    expires_at: Instant.nullable(),
  })
  .meta({ id: "ManagedKey" });

const NewKey = z
  .strictObject({
    key_id: KeyId,
    api_key: z.string().describe("The secret; only in this response"),
    name: z.string(),
    expires_at: Instant.nullable(),
  })
  .meta({ id: "NewKey" });

const WebAppPath = z.object({ webAppId: WebAppId });
const KeyPath = z.object({ keyId: KeyId });

const common = { security: "managementKey", bodyLimitBytes: 0 } as const;
const BODY_BYTES = 4 * 1024;
const REFUSALS = ["auth_failed", "forbidden", "rate_limited"] as const;

export const listManagedWebAppsOperation = defineOperation({
  ...common,
  id: "listManagedWebApps",
  method: "GET",
  path: "/api/v1/manage/web-apps",
  summary: "List Web Apps with their origins",
  description: "Scope `web_apps` or `origins`.",
  responses: { 200: z.strictObject({ web_apps: z.array(WebApp) }) },
  errors: REFUSALS,
});

export const createManagedWebAppOperation = defineOperation({
  ...common,
  id: "createManagedWebApp",
  method: "POST",
  path: "/api/v1/manage/web-apps",
  summary: "Create a Web App",
  description: "Scope `web_apps`. It has no origins yet, and no key of its own: keys belong to the workspace.",
  body: z.strictObject({ name: Name }),
  bodyLimitBytes: BODY_BYTES,
  responses: { 201: WebApp },
  errors: ["invalid_request", ...REFUSALS],
});

export const updateManagedWebAppOperation = defineOperation({
  ...common,
  id: "updateManagedWebApp",
  method: "PUT",
  path: "/api/v1/manage/web-apps/{webAppId}",
  summary: "Rename, pause, resume or archive a Web App",
  description: "Scope `web_apps`. Archiving is final.",
  params: WebAppPath,
  unmatchedParams: "not_found",
  body: z.strictObject({ name: Name, state: z.enum(["active", "paused", "archived"]) }),
  bodyLimitBytes: BODY_BYTES,
  responses: { 200: WebApp },
  errors: ["invalid_request", "not_found", "conflict", ...REFUSALS],
});

export const addManagedOriginOperation = defineOperation({
  ...common,
  id: "addManagedOrigin",
  method: "PUT",
  path: "/api/v1/manage/web-apps/{webAppId}/origins",
  summary: "Allow an origin, temporarily or permanently",
  description:
    "Scope `origins`. Idempotent: an origin that is already allowed keeps the later of the two expiries. A permanent origin stays permanent.",
  params: WebAppPath,
  unmatchedParams: "not_found",
  body: z.strictObject({
    origin: Origin,
    expires_in_seconds: z
      .int()
      .min(MINUTE)
      .max(366 * DAY)
      .optional()
      .describe("If omitted, the origin is allowed permanently"),
  }),
  bodyLimitBytes: BODY_BYTES,
  responses: { 200: AllowedOrigin.extend({ web_app_id: WebAppId }) },
  errors: ["invalid_request", "invalid_origin", "not_found", "conflict", ...REFUSALS],
});

export const removeManagedOriginOperation = defineOperation({
  ...common,
  id: "removeManagedOrigin",
  method: "DELETE",
  path: "/api/v1/manage/web-apps/{webAppId}/origins",
  summary: "Stop allowing an origin",
  description:
    "Scope `origins`. Idempotent: an origin that is not on the list is not an error, but a malformed origin is.",
  params: WebAppPath,
  unmatchedParams: "not_found",
  query: z.strictObject({ origin: Origin }),
  responses: {
    200: z.strictObject({ web_app_id: WebAppId, origin: z.string(), removed: z.boolean() }),
  },
  errors: ["invalid_request", "invalid_origin", "not_found", ...REFUSALS],
});

export const listManagedKeysOperation = defineOperation({
  ...common,
  id: "listManagedKeys",
  method: "GET",
  path: "/api/v1/manage/keys",
  summary: "List API keys, without their secrets",
  description: "Scope `keys`.",
  responses: { 200: z.strictObject({ keys: z.array(Key) }) },
  errors: REFUSALS,
});

export const createManagedKeyOperation = defineOperation({
  ...common,
  id: "createManagedKey",
  method: "POST",
  path: "/api/v1/manage/keys",
  summary: "Create an API key",
  description: "Scope `keys`. The secret is only in this response.",
  body: z.strictObject({
    name: Name,
    expires_in_seconds: z
      .int()
      .min(MINUTE)
      .max(3650 * DAY)
      .optional(),
  }),
  bodyLimitBytes: BODY_BYTES,
  responses: { 201: NewKey },
  errors: ["invalid_request", ...REFUSALS],
});

export const rotateManagedKeyOperation = defineOperation({
  ...common,
  id: "rotateManagedKey",
  method: "POST",
  path: "/api/v1/manage/keys/{keyId}/rotate",
  summary: "Replace an API key by a new one",
  description: "Scope `keys`. The old key is accepted until the overlap ends.",
  params: KeyPath,
  unmatchedParams: "not_found",
  body: z.strictObject({ overlap: z.enum(["0", "15m", "1h", "6h", "24h", "7d"]).optional().describe("Default: 24h") }),
  bodyLimitBytes: BODY_BYTES,
  responses: { 201: NewKey },
  errors: ["invalid_request", "not_found", "conflict", ...REFUSALS],
});

export const revokeManagedKeyOperation = defineOperation({
  ...common,
  id: "revokeManagedKey",
  method: "DELETE",
  path: "/api/v1/manage/keys/{keyId}",
  summary: "Revoke an API key at once",
  description: "Scope `keys`. Idempotent.",
  params: KeyPath,
  unmatchedParams: "not_found",
  responses: { 200: z.strictObject({ key_id: KeyId, state: z.literal("revoked") }) },
  errors: ["not_found", ...REFUSALS],
});
