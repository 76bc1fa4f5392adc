import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { listViews } from "@/lib/tenancy/views";
import type { Access } from "@/lib/tenancy/workspaces";
import { listAlerts } from "@/lib/visits/alerts";
import { AlertList } from "./_components/alert-list";
import { CreateAlert } from "./_components/alert-dialogs";
import { createAlertAction, deleteAlertAction, updateAlertAction } from "./actions";

export const metadata = pageMetadata("alerts");

type Props = { params: Promise<{ workspaceId: string }> };

async function readAlerts(context: Context, { workspaceId, role }: Access) {
  const [alerts, views] = await Promise.all([
    listAlerts(context, { workspaceId }),
    listViews(context, { workspaceId }),
  ]);
  return {
    alerts,
    views: views.flatMap(({ viewId, name, query }) => (query === undefined ? [] : [{ value: viewId, label: name }])),
    // An operator need not be a member.
    self: context.actor.kind === "user" && role !== undefined ? [context.actor.userId] : [],
  };
}

export default async function AlertsPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("alerts", { workspaceId }, readAlerts);
  if (!page.ok) return page.restricted;
  const { alerts, views, self } = page.value;
  const zone = await pageZone();
  return (
    <>
      <PageHeader
        title="Alerts"
        lead={
          <>
            Members and webhooks are notified when the visits of a saved view cross a number or their own history, once
            for each incident.{" "}
            <Link className="link" href="/docs/rules#alerts">
              How it works
            </Link>
          </>
        }
        actions={
          views.length > 0 ? <CreateAlert {...{ workspaceId, views, self, zone }} create={createAlertAction} /> : null
        }
      />
      <Panel>
        {alerts.length > 0 ? (
          <AlertList
            {...{ workspaceId, alerts, views, zone }}
            now={page.context.now}
            update={updateAlertAction}
            remove={deleteAlertAction}
          />
        ) : (
          <EmptyState
            title="No alert yet"
            action={
              views.length > 0 ? undefined : (
                <ButtonLink href={pageHref("reports", { workspaceId })}>Go to Reports</ButtonLink>
              )
            }
          >
            {views.length > 0
              ? "Choose a saved view and say how many visits are too many."
              : "An alert watches a saved view. Set filters on Reports and save them under a name first."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
