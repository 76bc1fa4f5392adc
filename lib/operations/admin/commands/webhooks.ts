import { AppError } from "@/lib/contract/errors";
import { REPORT_STATUSES } from "@/lib/contract/report";
import { SUBSCRIBABLE_EVENTS } from "@/lib/contract/webhooks";
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  listDeliveries,
  listEndpoints,
  pauseEndpoint,
  readDelivery,
  resendDelivery,
  resumeEndpoint,
  rotateSecret,
  SECRET_OVERLAP_SECONDS,
  type SecretOverlap,
  sendTestEvent,
  updateEndpoint,
} from "@/lib/tenancy/webhooks";
import { type Command, type ParsedOptions, workspaceOption } from "../command";
import { PAGE_OPTIONS } from "../page-options";

const webhookOption = { value: "ID", description: "Webhook, `whk_…`", isRequired: true } as const;
const deliveryOption = { value: "ID", description: "Delivery, `whd_…`", isRequired: true } as const;
const nameOption = { value: "NAME", description: "Name of the webhook" } as const;
const urlOption = { value: "URL", description: "https URL that events are sent to" } as const;

const isOverlap = (text: string): text is SecretOverlap => Object.hasOwn(SECRET_OVERLAP_SECONDS, text);
const OVERLAPS = Object.keys(SECRET_OVERLAP_SECONDS).filter(isOverlap);

const subscriptionOptions = {
  event: {
    value: "TYPE",
    description: "Event type, may be repeated; `trial.…` covers all trials of the instance",
    isRepeatable: true,
    choices: SUBSCRIBABLE_EVENTS,
  },
  "web-app": { value: "ID", description: "Only visits of this Web App, may be repeated", isRepeatable: true },
  status: {
    value: "STATUS",
    description: "Only visits with this risk status, may be repeated",
    isRepeatable: true,
    choices: REPORT_STATUSES,
  },
} as const;

const shown = (endpoint: Endpoint) => ({
  webhook_id: endpoint.endpointId,
  name: endpoint.name,
  url: endpoint.url,
  state: endpoint.state,
  ...(endpoint.disabledBecause === "" ? {} : { disabled_because: endpoint.disabledBecause }),
  events: endpoint.eventTypes,
  web_apps: endpoint.webAppIds,
  statuses: endpoint.statuses,
});

const keyOf = (given: ParsedOptions) => ({ workspaceId: given.text("workspace"), endpointId: given.text("webhook") });
const deliveryOf = (given: ParsedOptions) => ({
  workspaceId: given.text("workspace"),
  deliveryId: given.text("delivery"),
});

/** The changes given as options; everything else stays unchanged. */
function changesOf(given: ParsedOptions) {
  const [events, webApps, statuses] = [given.list("event"), given.list("web-app"), given.list("status")];
  const [name, url] = [given.optional("name"), given.optional("url")];
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(events.length > 0 && { eventTypes: events }),
    ...(given.has("all-web-apps") ? { webAppIds: [] } : webApps.length > 0 && { webAppIds: webApps }),
    ...(given.has("all-statuses") ? { statuses: [] } : statuses.length > 0 && { statuses }),
  };
}

export const webhookCommands: readonly Command[] = [
  {
    name: "webhook create",
    summary: "Send events to a URL; the signing secret is shown once",
    options: {
      workspace: workspaceOption,
      name: { ...nameOption, isRequired: true },
      url: { ...urlOption, isRequired: true },
      ...subscriptionOptions,
      event: { ...subscriptionOptions.event, isRequired: true },
    },
    async run(context, given) {
      const endpoint = await createEndpoint(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        url: given.text("url"),
        eventTypes: given.list("event"),
        webAppIds: given.list("web-app"),
        statuses: given.list("status"),
      });
      return { webhook_id: endpoint.endpointId, url: endpoint.url, signing_secret: endpoint.secret };
    },
  },
  {
    name: "webhook list",
    summary: "List the webhooks of a workspace",
    options: { workspace: workspaceOption },
    async run(context, given) {
      return { webhooks: (await listEndpoints(context, { workspaceId: given.text("workspace") })).map(shown) };
    },
  },
  {
    name: "webhook update",
    summary: "Change a webhook; options not given stay unchanged",
    options: {
      workspace: workspaceOption,
      webhook: webhookOption,
      name: nameOption,
      url: urlOption,
      ...subscriptionOptions,
      "all-web-apps": { description: "Visits of all Web Apps again" },
      "all-statuses": { description: "Visits of every risk status again" },
    },
    async run(context, given) {
      const changes = changesOf(given);
      if (Object.keys(changes).length === 0)
        throw new AppError("invalid_request", { message: "Say what to change, e.g. --url or --event" });
      const { endpointId, url, eventTypes, webAppIds, statuses } = await updateEndpoint(context, {
        ...keyOf(given),
        ...changes,
      });
      return { webhook_id: endpointId, url, events: eventTypes, web_apps: webAppIds, statuses };
    },
  },
  {
    name: "webhook pause",
    summary: "Send nothing to a webhook until it is resumed",
    options: { workspace: workspaceOption, webhook: webhookOption },
    async run(context, given) {
      const { endpointId, state } = await pauseEndpoint(context, keyOf(given));
      return { webhook_id: endpointId, state };
    },
  },
  {
    name: "webhook resume",
    summary: "Resume a paused or disabled webhook, starting with its waiting messages",
    options: { workspace: workspaceOption, webhook: webhookOption },
    async run(context, given) {
      const { endpointId, state } = await resumeEndpoint(context, keyOf(given));
      return { webhook_id: endpointId, state };
    },
  },
  {
    name: "webhook rotate",
    summary: "Replace the signing secret; until the overlap ends, messages are signed with both",
    options: {
      workspace: workspaceOption,
      webhook: webhookOption,
      overlap: { value: "SPAN", description: "Default: 24h", choices: OVERLAPS },
    },
    async run(context, given) {
      const { endpointId, secret, overlapEndsAt } = await rotateSecret(context, {
        ...keyOf(given),
        overlap: given.optionalChoice("overlap", OVERLAPS),
      });
      return { webhook_id: endpointId, signing_secret: secret, overlap_ends_at: overlapEndsAt };
    },
  },
  {
    name: "webhook delete",
    summary: "Delete a webhook with all its messages, including waiting ones",
    options: { workspace: workspaceOption, webhook: webhookOption },
    async run(context, given) {
      const { endpointId } = await deleteEndpoint(context, keyOf(given));
      return { webhook_id: endpointId, deleted: true };
    },
  },
  {
    name: "webhook test",
    summary: "Send a webhook.test event to a webhook",
    options: { workspace: workspaceOption, webhook: webhookOption },
    async run(context, given) {
      const { deliveryId, eventId } = await sendTestEvent(context, keyOf(given));
      return { delivery_id: deliveryId, event_id: eventId };
    },
  },
  {
    name: "webhook deliveries",
    summary: "List what was sent to a webhook, newest first",
    options: { workspace: workspaceOption, webhook: webhookOption, cursor: PAGE_OPTIONS.cursor },
    async run(context, given) {
      const { deliveries, nextCursor } = await listDeliveries(context, {
        ...keyOf(given),
        cursor: given.optional("cursor"),
      });
      return {
        deliveries: deliveries.map((delivery) => ({
          delivery_id: delivery.deliveryId,
          event_id: delivery.eventId,
          type: delivery.type,
          state: delivery.state,
          attempts: delivery.attempts,
          status: delivery.lastStatus,
          problem: delivery.lastProblem,
          occurred_at: delivery.occurredAt,
        })),
        next_cursor: nextCursor ?? null,
      };
    },
  },
  {
    name: "webhook delivery",
    summary: "Show one delivery with its payload and the last answer",
    options: { workspace: workspaceOption, delivery: deliveryOption },
    async run(context, given) {
      const delivery = await readDelivery(context, deliveryOf(given));
      return {
        delivery_id: delivery.deliveryId,
        event_id: delivery.eventId,
        state: delivery.state,
        attempts: delivery.attempts,
        payload: delivery.payload,
        status: delivery.lastStatus,
        duration_ms: delivery.lastDurationMs,
        answer: delivery.lastAnswer,
        problem: delivery.lastProblem,
      };
    },
  },
  {
    name: "webhook resend",
    summary: "Send a message again with the same id",
    options: { workspace: workspaceOption, delivery: deliveryOption },
    async run(context, given) {
      const { deliveryId, eventId } = await resendDelivery(context, deliveryOf(given));
      return { delivery_id: deliveryId, event_id: eventId };
    },
  },
];
