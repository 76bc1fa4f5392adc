import { riskWord } from "@/components/report/risk-badge";
import { pageHref } from "@/components/shell/pages";
import { REPORT_STATUSES } from "@/lib/contract/report";
import { isTrialEvent, SUBSCRIBABLE_EVENTS, WEBHOOK_EVENTS } from "@/lib/contract/webhooks";
import type { Choices } from "./webhook-fields";

/** Event types that a webhook may subscribe to: trial events are for operators. */
export const choicesOf = (workspaceId: string, isOperator: boolean): Choices => ({
  events: SUBSCRIBABLE_EVENTS.filter((type) => isOperator || !isTrialEvent(type)).map((type) => ({
    value: type,
    label: type,
    note: WEBHOOK_EVENTS[type].summary,
  })),
  webAppsPath: `${pageHref("web-apps", { workspaceId })}/names`,
  statuses: REPORT_STATUSES.map((status) => ({ value: status, label: riskWord(status) })),
});
