import { addOriginsAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { askedRange } from "@/components/report/range-query";
import type { RawQuery } from "@/components/report/report-query";
import { creatorName } from "@/components/shell/creator-name";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import { PAGE_SAMPLES, readSamples, SERVER_SAMPLES } from "@/lib/interfaces/documents";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, holds, listMembers } from "@/lib/tenancy/workspaces";
import { type FirstVisit, watchFirstVisit } from "@/lib/visits/reports";
import { FirstReport } from "./_components/first-report";
import { FirstVisitWait } from "./_components/first-visit-wait";
import { Overview } from "./_components/overview";
import { answerFirstVisit } from "./first-visit/answer";
import { readOverview } from "./read-overview";

export const metadata = pageMetadata("overview");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

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

export default async function OverviewPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const [raw, zone] = [await searchParams, await pageZone()];
  const page = await openPage("overview", { workspaceId }, async (context, access) => {
    const watch = await watchFirstVisit(context, { workspaceId, since: null });
    const { asked, from, to, label } = askedRange(raw, context.now, zone);
    const overview = watch.hasVisits ? await readOverview(context, access, { from, to }, zone) : undefined;
    return { access, watch, asked, label, overview };
  });
  if (!page.ok) return page.restricted;
  const { access, watch, overview, asked, label } = page.value;
  if (!overview) return <WaitForFirst context={page.context} access={access} watch={watch} />;
  const { reports, ...read } = overview;
  return (
    <Overview
      workspaceId={workspaceId}
      now={page.context.now}
      zone={zone}
      asked={asked}
      label={label}
      firstDeliveredAt={watch.firstDeliveredAt}
      recent={reports}
      allow={holds(access, "webApp.manage") ? addOriginsAction : undefined}
      {...read}
    />
  );
}
