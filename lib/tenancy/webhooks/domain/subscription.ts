import { idPattern } from "@/lib/contract/ids";
import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";
import { SUBSCRIBABLE_EVENTS, type WebhookEventType } from "@/lib/contract/webhooks";

/** Events that an endpoint receives. Empty lists of Web Apps and statuses mean all; both apply to visits only. */
export type Subscription = {
  eventTypes: readonly WebhookEventType[];
  webAppIds: readonly string[];
  statuses: readonly ReportStatus[];
};

const MAX_WEB_APPS = 100;

const isEventType = (text: string): text is WebhookEventType =>
  (SUBSCRIBABLE_EVENTS as readonly string[]).includes(text);
const isStatus = (text: string): text is ReportStatus => (REPORT_STATUSES as readonly string[]).includes(text);

type Given = { eventTypes: readonly string[]; webAppIds?: readonly string[]; statuses?: readonly string[] };

/** The deduplicated subscription, or a message about what is wrong with it. */
export function parseSubscription({ eventTypes, webAppIds = [], statuses = [] }: Given): Subscription | string {
  const types = [...new Set(eventTypes)];
  if (types.length === 0) return "Choose at least one type of event";
  const unknownType = types.find((type) => !isEventType(type));
  if (unknownType !== undefined) return `Unknown event type ${unknownType}. Known: ${SUBSCRIBABLE_EVENTS.join(", ")}`;
  const apps = [...new Set(webAppIds)];
  if (apps.length > MAX_WEB_APPS) return `An endpoint can list at most ${MAX_WEB_APPS} Web Apps; list none for all`;
  const unknownApp = apps.find((app) => !idPattern("webApp").test(app));
  if (unknownApp !== undefined) return "A Web App id is app_ and 32 hex digits";
  const unknownStatus = statuses.find((status) => !isStatus(status));
  if (unknownStatus !== undefined) return `Unknown status ${unknownStatus}. Known: ${REPORT_STATUSES.join(", ")}`;
  return {
    eventTypes: types.filter(isEventType),
    webAppIds: apps,
    statuses: [...new Set(statuses.filter(isStatus))],
  };
}
