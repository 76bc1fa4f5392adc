import { addOriginsAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { lastSteps } from "@/components/report/time-steps";
import { creatorName } from "@/components/shell/creator-name";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import { UTC } from "@/components/ui/zone";
import { PAGE_SAMPLES, readSamples, SERVER_SAMPLES } from "@/lib/interfaces/documents";
import { readUnits } from "@/lib/metering";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, holds, listMembers } from "@/lib/tenancy/workspaces";
import { readLinkControl, readShadow } from "@/lib/visits/devices";
import { countReports, type FirstVisit, listReports, watchFirstVisit } from "@/lib/visits/reports";
import { FirstReport } from "./_components/first-report";
import { FirstVisitWait } from "./_components/first-visit-wait";
import { Overview } from "./_components/overview";
import { answerFirstVisit } from "./first-visit/answer";

export const metadata = pageMetadata("overview");

const DAY_MS = 86_400_000;
const RECENT = 8;
const RECENT_DAYS = 30;

type Props = { params: Promise<{ workspaceId: string }> };

async function WaitForFirst({ context, access, watch }: { context: Context; access: Access; watch: FirstVisit }) {
  const { workspaceId } = access;
  const canManage = holds(access, "webApp.manage");
  const [webApps, keys, members, initial] = await Promise.all([
    listWebApps(context, { workspaceId }),
    canManage ? listKeys(context, { workspaceId }) : [],
    listMembers(context, { workspaceId }),
    answerFirstVisit(context, workspaceId, watch.at),
  ]);
  const webApp = webApps.find(({ state }) => state === "active");
  const key = keys.find(({ state }) => state === "active");
  const [page, server] = await Promise.all([
    readSamples(PAGE_SAMPLES, webApp?.environmentId),
    readSamples(SERVER_SAMPLES),
  ]);
  return (
    <FirstReport
      samples={{ page, server }}
      webApp={webApp}
      apiKey={
        key && {
          name: key.name,
          shown: `${key.preview}…${key.lastFour}`,
          createdBy: creatorName(key.createdBy, members),
          createdAt: <RelativeTime at={key.createdAt} now={context.now} />,
        }
      }
      createWebApp={<ButtonLink href={pageHref("web-apps", { workspaceId })}>To Web Apps</ButtonLink>}
      createKey={
        canManage ? (
          <ButtonLink href={pageHref("keys", { workspaceId })}>To Keys</ButtonLink>
        ) : (
          "Owners, admins and developers see and create keys."
        )
      }
      demoHref={webApp && pageHref("demo", { workspaceId })}
      wait={
        <FirstVisitWait
          workspaceId={workspaceId}
          since={watch.at.toISOString()}
          canAllow={canManage}
          initial={initial}
          allow={addOriginsAction}
        />
      }
    />
  );
}

async function readOverview(context: Context, workspaceId: string) {
  const until = new Date(context.now.getTime() + DAY_MS);
  const month = { workspaceId, from: new Date(context.now.getTime() - RECENT_DAYS * DAY_MS), to: until };
  const [day, week, units, recent, shadow, control] = await Promise.all([
    countReports(context, { workspaceId, ...lastSteps(24, "hour", context.now, UTC) }),
    countReports(context, { workspaceId, ...lastSteps(7, "day", context.now, UTC) }),
    readUnits(context, { workspaceId }),
    listReports(context, { ...month, limit: RECENT }),
    readShadow(context, { workspaceId }),
    readLinkControl(context, { workspaceId }),
  ]);
  return { day, week, units, recent, shadow, control };
}

export default async function OverviewPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("overview", { workspaceId }, async (context, access) => {
    const watch = await watchFirstVisit(context, { workspaceId, since: null });
    return { access, watch, overview: watch.hasVisits ? await readOverview(context, workspaceId) : undefined };
  });
  if (!page.ok) return page.restricted;
  const { access, watch, overview } = page.value;
  if (!overview) return <WaitForFirst context={page.context} access={access} watch={watch} />;
  return (
    <Overview
      workspaceId={workspaceId}
      now={page.context.now}
      firstDeliveredAt={watch.firstDeliveredAt}
      {...overview}
    />
  );
}
