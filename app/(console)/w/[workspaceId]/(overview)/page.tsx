import { cookies } from "next/headers";

import { addOriginsAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { askedRange } from "@/components/report/range-query";
import { creatorName } from "@/components/shell/creator-name";
import { isDismissed, SETUP_COOKIE } from "@/components/shell/setup-cookie";
import type { RawQuery } from "@/components/ui/filter-texts";
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
import { DismissSteps } from "./_components/dismiss-steps";
import { answerFirstVisit } from "./first-visit/answer";
import { readOverview } from "./read-overview";

export const metadata = pageMetadata("overview");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

/** Time after which completed steps are hidden. */
const DONE_DAYS = 7;
const DAY_MS = 86_400_000;

/** Whether the steps are shown above the visits. */
function showsSteps(access: Access, { firstDeliveredAt }: FirstVisit, now: Date, cookie: string | undefined): boolean {
  if (!holds(access, "webApp.manage") || isDismissed(cookie, access.workspaceId)) return false;
  return firstDeliveredAt === null || now.getTime() - firstDeliveredAt.getTime() < DONE_DAYS * DAY_MS;
}

type StepsProps = { context: Context; access: Access; watch: FirstVisit; cookie: string | undefined };

async function Steps({ context, access, watch, cookie }: StepsProps) {
  const { workspaceId } = access;
  const { hasVisits, firstDeliveredAt } = watch;
  const canManage = holds(access, "webApp.manage");
  const [webApps, keys, members, initial] = await Promise.all([
    listWebApps(context, { workspaceId }),
    canManage ? listKeys(context, { workspaceId }) : [],
    listMembers(context, { workspaceId }),
    hasVisits ? undefined : answerFirstVisit(context, workspaceId, watch.at),
  ]);
  const active = webApps.filter(({ state }) => state === "active");
  const webApp = active.find(({ origins }) => origins.length > 0) ?? active[0];
  const key = keys.find(({ state }) => state === "active");
  const [page, server] = await Promise.all([
    readSamples(PAGE_SAMPLES, webApp?.environmentId),
    readSamples(SERVER_SAMPLES),
  ]);
  return (
    <FirstReport
      workspaceId={workspaceId}
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
      canManage={canManage}
      hasVisits={hasVisits}
      firstDelivered={firstDeliveredAt === null ? undefined : <RelativeTime at={firstDeliveredAt} now={context.now} />}
      wait={
        initial && (
          <FirstVisitWait
            workspaceId={workspaceId}
            since={watch.at.toISOString()}
            canAllow={canManage}
            initial={initial}
            allow={addOriginsAction}
          />
        )
      }
      dismiss={hasVisits ? <DismissSteps workspaceId={workspaceId} cookie={cookie} /> : undefined}
    />
  );
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const [raw, zone, cookie] = [await searchParams, await pageZone(), (await cookies()).get(SETUP_COOKIE)?.value];
  const page = await openPage("overview", { workspaceId }, async (context, access) => {
    const watch = await watchFirstVisit(context, { workspaceId, since: null });
    const { asked, from, to, label } = askedRange(raw, context.now, zone);
    const overview = watch.hasVisits ? await readOverview(context, access, { from, to }, zone) : undefined;
    return { access, watch, asked, label, overview };
  });
  if (!page.ok) return page.restricted;
  const { access, watch, overview, asked, label } = page.value;
  const { context } = page;
  const steps = <Steps {...{ context, access, watch, cookie }} />;
  if (!overview) return steps;
  const { reports, ...read } = overview;
  const hasSteps = showsSteps(access, watch, context.now, cookie);
  return (
    <Overview
      workspaceId={workspaceId}
      now={context.now}
      zone={zone}
      asked={asked}
      label={label}
      steps={hasSteps ? steps : undefined}
      isRead={watch.firstDeliveredAt !== null || hasSteps}
      recent={reports}
      allow={holds(access, "webApp.manage") ? addOriginsAction : undefined}
      {...read}
    />
  );
}
