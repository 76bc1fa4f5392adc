import { z } from "zod";

import { Imprint, Instant } from "./fields";
import { idPattern, type IdKind } from "./ids";
import { Reason, ReportStatus } from "./report";

/**
 * Messages sent by the service, in the format of the Standard Webhooks specification: `type`, `timestamp` and `data`.
 * Source: https://www.standardwebhooks.com, version 1.0.0.
 */

const id = (kind: IdKind) => z.string().regex(idPattern(kind));

const Visit = z.strictObject({
  device_id: id("device").describe("Device that made the visit"),
  imprint: Imprint,
  workspace_id: id("workspace"),
  web_app_id: id("webApp"),
  surface: z.string().describe("Business surface that the page named"),
  origin: z.string().describe("Origin of the page"),
  risk: z.strictObject({ status: ReportStatus, reasons: z.array(Reason) }).describe("As in the Report"),
});

const Key = z.strictObject({
  workspace_id: id("workspace"),
  key_id: id("apiKey"),
  name: z.string(),
  expires_at: Instant.nullable().describe("Null if it does not expire"),
});

const Trial = z.strictObject({
  intent_id: id("intent"),
  origin: z.string().describe("Origin for which the trial was bought"),
  trial_id: id("trial").nullable().describe("Null until the trial is active"),
  workspace_id: id("workspace").nullable().describe("Workspace of the trial; null until it is active"),
  expires_at: Instant.nullable().describe("End of the trial; null until it is active"),
});

const Quota = z.strictObject({
  workspace_id: id("workspace"),
  period: z.string().describe("UTC month `YYYY-MM`, or `total`"),
  used_report_units: z.int().min(0),
  total_report_units: z.int().min(1),
});

const Alert = z.strictObject({
  workspace_id: id("workspace"),
  alert_id: id("alert"),
  view_id: id("view").describe("Saved view whose visits are counted"),
  name: z.string(),
  visits: z.int().min(0).describe("Maximum number of visits within the window so far"),
  limit: z.int().min(0).describe("The limit that was exceeded"),
  window_minutes: z.int().min(1),
  began_at: Instant,
});

type WebhookEvent = { summary: string; data: z.ZodObject };

/** Every type of event, and the `data` of its message. */
export const WEBHOOK_EVENTS = {
  "visit.recorded": { summary: "A visit was accepted and its Report can be read", data: Visit },
  "key.created": { summary: "An API key was created", data: Key },
  "key.rotated": {
    summary: "An API key was replaced by another one",
    data: Key.extend({ replaced_by: id("apiKey").describe("The key to use from now on") }),
  },
  "key.revoked": { summary: "An API key was revoked", data: Key },
  "key.expiring": { summary: "An API key expires within 7 days", data: Key },
  "quota.threshold_reached": { summary: "80 % of the report units of the period are used", data: Quota },
  "quota.exhausted": { summary: "All report units of the period are used", data: Quota },
  "alert.raised": { summary: "The visits of a saved view exceeded the limit of an alert", data: Alert },
  "trial.payment_failed": { summary: "The payment of a trial was not made", data: Trial },
  "trial.reconciliation_pending": { summary: "The payment of a trial is being looked up on the chain", data: Trial },
  "trial.activated": { summary: "A trial was paid and is active", data: Trial },
  "trial.expired": { summary: "A trial has ended", data: Trial },
  "trial.revoked": { summary: "A trial was revoked", data: Trial },
  "webhook.test": {
    summary: "Sent on request, to test an endpoint",
    data: z.strictObject({ workspace_id: id("workspace"), endpoint_id: id("webhook") }),
  },
} as const satisfies Record<string, WebhookEvent>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;
export type WebhookData<Type extends WebhookEventType> = z.input<DataSchema<Type>>;

const TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]; // safe: the names of the events

/** The types that an endpoint can subscribe to. A test is sent only to the endpoint it was requested for. */
export const SUBSCRIBABLE_EVENTS = TYPES.filter((type) => type !== "webhook.test");

/** Events of all trials of the instance, to which only operators can subscribe. */
export const isTrialEvent = (type: string): boolean => type.startsWith("trial.");

type DataSchema<Type extends WebhookEventType> = (typeof WEBHOOK_EVENTS)[Type]["data"];

/** The message of an event, as received by an endpoint. */
export function webhookMessage<Type extends WebhookEventType>(type: Type) {
  const data: DataSchema<Type> = WEBHOOK_EVENTS[type].data;
  return z.strictObject({
    type: z.literal(type),
    timestamp: Instant.describe("When the event happened; `webhook-timestamp` is the time of the attempt"),
    data,
  });
}

/** Headers of each message. */
export const WebhookHeaders = z.object({
  "webhook-id": id("event").describe(
    "Identifies the event: the same in every attempt, so that repeats can be detected",
  ),
  "webhook-timestamp": z
    .string()
    .regex(/^\d+$/)
    .describe("Time of this attempt in seconds since 1970; reject messages older than five minutes"),
  "webhook-signature": z
    .string()
    .regex(/^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$/)
    .describe("HMAC-SHA-256 of `id.timestamp.body`; two while a secret is being rotated, of which one must match"),
});
