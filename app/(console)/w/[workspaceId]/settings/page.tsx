import { pageHref } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { renameWorkspaceAction, setRetentionAction, setViewLogAction } from "@/app/(console)/actions/workspaces";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { planName } from "@/components/shell/plan-name";
import { retentionText } from "@/components/shell/retention-text";
import { counted } from "@/components/ui/counted";
import { Id } from "@/components/ui/id";
import { Facts, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { env } from "@/lib/platform/env";
import { holds, MIN_RETENTION_DAYS, PLAN_LIMITS, type Plan, readWorkspace } from "@/lib/tenancy/workspaces";
import { RenameWorkspace } from "./_components/rename-workspace";
import { ChangeRetention, SwitchViewLog } from "./_components/retention";

export const metadata = pageMetadata("settings");

type Props = { params: Promise<{ workspaceId: string }> };

function planText(plan: Plan): string {
  const { requestsPerSecond, reportUnits, historyDays, hasAccountMap } = PLAN_LIMITS[plan];
  return [
    reportUnits === null ? "report units without a limit" : counted(reportUnits, "report unit"),
    `${counted(requestsPerSecond, "request")} a second for each key`,
    historyDays === 0 ? "no History" : `${counted(historyDays, "day")} of History`,
    hasAccountMap ? "Account Map" : "no Account Map",
  ].join(", ");
}

export default async function SettingsPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("settings", { workspaceId }, (context) => readWorkspace(context, { workspaceId }));
  if (!page.ok) return page.restricted;
  const { name, plan, createdAt, role, canSeeAddresses, retentionDays, keptDays, logsReportViews } = page.value;
  const canManage = holds(page.value, "workspace.manage");
  const isOwner = holds(page.value, "privacy.manage");
  return (
    <div className="grid gap-4">
      <Panel id="workspace" title="Workspace">
        <Facts
          rows={[
            {
              name: "Name",
              value: canManage ? (
                <RenameWorkspace workspaceId={workspaceId} name={name} rename={renameWorkspaceAction} />
              ) : (
                name
              ),
            },
            { name: "Id", value: <Id value={workspaceId} isWhole copy="always" /> },
            {
              name: "Plan",
              value: (
                <>
                  <span className="font-medium">{planName(plan)}</span>
                  <span className="block text-fg-muted">{planText(plan)}. Operators of the instance set the plan.</span>
                </>
              ),
            },
            { name: "Created", value: <AbsoluteTime at={createdAt} /> },
          ]}
        />
      </Panel>
      <Panel id="access" title="Your access">
        <Facts
          rows={[
            { name: "Role", value: <span className="capitalize">{role ?? "operator of the instance"}</span> },
            {
              name: "Addresses",
              value: canSeeAddresses
                ? "You see addresses and places."
                : "Addresses and places are restricted for you, in exports and search, too.",
              aside: (
                <Link className="link" href={pageHref("members", { workspaceId })}>
                  Members
                </Link>
              ),
            },
          ]}
        />
      </Panel>
      <Panel
        id="retention"
        title="Retention"
        aside={
          <Link className="link" href={pageHref("privacy", { workspaceId })}>
            Privacy, export and erasure
          </Link>
        }
      >
        <Facts
          rows={[
            {
              name: "Visits",
              value: `${retentionText(page.value)}, with their Reports and links`,
              aside: isOwner ? (
                <ChangeRetention
                  key={retentionDays}
                  workspaceId={workspaceId}
                  ownDays={retentionDays}
                  minDays={MIN_RETENTION_DAYS}
                  maxDays={env.RETENTION_DAYS}
                  save={setRetentionAction}
                  readConsequences={readConsequencesAction}
                />
              ) : null,
            },
            {
              name: "Raw signals",
              value: `${counted(Math.min(env.SIGNALS_RETENTION_DAYS, keptDays), "day")}, then erased from their visits`,
            },
            {
              name: "Opened Reports",
              value: logsReportViews ? "the audit log notes who opens which" : "not logged",
              aside: isOwner ? (
                <SwitchViewLog workspaceId={workspaceId} isOn={logsReportViews} save={setViewLogAction} />
              ) : null,
            },
            {
              name: "Set by",
              value: isOwner ? "you, within the limits of this instance" : "owners, within the limits of this instance",
            },
          ]}
        />
      </Panel>
    </div>
  );
}
