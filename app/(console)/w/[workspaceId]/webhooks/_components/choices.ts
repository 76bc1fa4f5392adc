import { REPORT_STATUSES } from "@/lib/contract/report";
import { isTrialEvent, SUBSCRIBABLE_EVENTS, WEBHOOK_EVENTS } from "@/lib/contract/webhooks";
import type { Choices } from "./webhook-fields";

/** Event types that a webhook may subscribe to: trial events are for operators. */
export const choicesOf = (webApps: readonly { webAppId: string; name: string }[], isOperator: boolean): Choices => ({
  events: SUBSCRIBABLE_EVENTS.filter((type) => isOperator || !isTrialEvent(type)).map((type) => ({
    value: type,
    label: type,
    note: WEBHOOK_EVENTS[type].summary,
  })),
  webApps: webApps.map(({ webAppId, name }) => ({ value: webAppId, label: name })),
  statuses: REPORT_STATUSES.map((status) => ({ value: status, label: status })),
});
