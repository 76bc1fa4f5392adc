import type { ComponentProps } from "react";

import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Confirm } from "@/components/ui/confirm";
import { counted, countText } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import type { Action } from "@/components/ui/action-result";
import type { Alert } from "@/lib/visits/alerts";
import { type AlertChoices, EditAlert } from "./alert-dialogs";
import type { AlertValues } from "./alert-form";
import { conditionText } from "./condition-text";
import { foreign } from "@/components/ui/foreign";

const isOpen = ({ incident }: Alert) => incident !== null && incident.closedAt === null;

const valuesOf = ({ view, quietHours, mailToIds, ...alert }: Alert, zone: string): AlertValues => {
  const { name, condition, threshold, windowMinutes } = alert;
  return {
    ...{ viewId: view.viewId, name, condition, threshold, windowMinutes, mailTo: mailToIds },
    ...{ quietFrom: quietHours?.from ?? null, quietTo: quietHours?.to ?? null, zone: quietHours?.zone ?? zone },
  };
};

type Props = AlertChoices & {
  alerts: readonly Alert[];
  now: Date;
  zone: string;
  update: ComponentProps<typeof EditAlert>["update"];
  remove: Action<{ workspaceId: string; alertId: string }, unknown>;
};

function Incident({ alert, now, zone }: { alert: Alert; now: Date; zone: string }) {
  const { incident } = alert;
  if (incident === null) return <p className="text-fg-muted">No incident yet</p>;
  const counts = `${counted(incident.visits, "visit")}, limit ${countText(incident.limit)}`;
  return (
    <p className="text-fg-muted">
      {incident.closedAt ? "Last incident" : "Since"} <RelativeTime at={incident.openedAt} now={now} zone={zone} />:{" "}
      {counts}
    </p>
  );
}

/** Alerts with their conditions and latest incident. */
export function AlertList({ workspaceId, alerts, views, now, zone, update, remove }: Props) {
  return (
    <ul>
      {alerts.map((alert) => (
        <li
          key={alert.alertId}
          className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0"
        >
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold wrap-anywhere">{alert.name}</span>
              {isOpen(alert) ? <Chip>raised</Chip> : <Chip isActive>watching</Chip>}
            </p>
            <p>
              {alert.view.query === undefined ? (
                foreign(alert.view.name)
              ) : (
                <Link className="link" href={`${pageHref("reports", { workspaceId })}?${alert.view.query}`}>
                  {foreign(alert.view.name)}
                </Link>
              )}
              : {conditionText(alert)}
            </p>
            <Incident alert={alert} now={now} zone={zone} />
            <p className="text-xs wrap-anywhere text-fg-muted">
              {alert.mailTo.length > 0 ? `Mail to ${alert.mailTo.join(", ")}` : "No mail"}
              {alert.quietHours
                ? ` · quiet ${alert.quietHours.from} to ${alert.quietHours.to}, ${alert.quietHours.zone}`
                : ""}
            </p>
          </div>
          {alert.canChange ? (
            <span className="flex gap-1.5 max-sm:-ml-[11px]">
              <EditAlert
                {...{ workspaceId, update, alertId: alert.alertId, values: valuesOf(alert, zone) }}
                // The current view can stay even if it filters by a place that this person may not see.
                views={
                  views.some(({ value }) => value === alert.view.viewId)
                    ? views
                    : [{ value: alert.view.viewId, label: alert.view.name }, ...views]
                }
              />
              <Confirm
                trigger={
                  <Button size="sm" variant="ghost" aria-label={`Delete ${foreign(alert.name)}`}>
                    Delete
                  </Button>
                }
                title="Delete this alert?"
                confirmLabel="Delete alert"
                action={remove}
                input={{ workspaceId, alertId: alert.alertId }}
                done="The alert is deleted"
              >
                Nobody is notified of “{foreign(alert.name)}” any more. The view and its visits stay.
              </Confirm>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
