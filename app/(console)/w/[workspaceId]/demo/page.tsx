import { setLabelAction } from "@/app/(console)/actions/labels";
import { AllowOrigin } from "@/components/shell/allow-origin";
import { foreign } from "@/components/ui/foreign";
import { Link } from "@/components/ui/link";

import { addOriginsAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { DemoRun } from "@/components/report/demo-run";
import { ReportView } from "@/components/report/report-view";
import { pageHref } from "@/components/shell/pages";
import { Button, ButtonLink } from "@/components/ui/button";
import { choiceStyle } from "@/components/ui/choice";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/input";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { readReportForConsole } from "@/lib/visits/reports";

export const metadata = pageMetadata("demo");

type Query = { app?: string; imprint?: string };
type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<Query> };

async function readDemo(context: Context, access: Access, { app, imprint }: Query) {
  const { workspaceId } = access;
  const origin = new URL(baseUrl()).origin;
  const all = await listWebApps(context, { workspaceId });
  const webApps = all.filter(({ state }) => state === "active");
  const webApp =
    webApps.find(({ webAppId }) => webAppId === app) ??
    webApps.find(({ origins }) => origins.includes(origin)) ??
    webApps[0];
  return {
    origin,
    webApps,
    webApp,
    canManage: holds(access, "webApp.manage"),
    view: imprint === undefined ? undefined : await readReportForConsole(context, { workspaceId, imprint }),
  };
}

type Demo = Awaited<ReturnType<typeof readDemo>>;
type RunProps = { path: string; workspaceId: string; demo: Demo & { webApp: NonNullable<Demo["webApp"]> } };

/** More Web Apps than this are shown in a list box. */
const MAX_LINKS = 12;

function WebAppChoice({ path, demo: { webApps, webApp } }: RunProps) {
  if (webApps.length < 2) return null;
  if (webApps.length > MAX_LINKS)
    return (
      <form method="get" action={path} className="flex flex-wrap items-end gap-2 border-b p-4">
        <Field label="Web App" className="min-w-0 sm:w-80">
          <NativeSelect name="app" defaultValue={webApp.webAppId} key={webApp.webAppId}>
            {webApps.map(({ webAppId, name }) => (
              <option key={webAppId} value={webAppId}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Button type="submit">Choose</Button>
      </form>
    );
  return (
    <nav aria-label="Web App" className="flex flex-wrap gap-1 border-b p-2">
      {webApps.map(({ webAppId, name }) => (
        <Link
          key={webAppId}
          href={`${path}?app=${webAppId}`}
          aria-current={webAppId === webApp.webAppId ? "true" : undefined}
          className={cn(choiceStyle(webAppId === webApp.webAppId), "max-w-full")}
        >
          <span className="truncate">{name}</span>
        </Link>
      ))}
    </nav>
  );
}

function Run(props: RunProps) {
  const { path, workspaceId, demo } = props;
  const { webApp, origin, canManage } = demo;
  const isAllowed = webApp.origins.includes(origin);
  return (
    <Panel className="mb-4">
      <WebAppChoice {...props} />
      <div className="flex flex-col items-start gap-3 p-4">
        <p>
          The component runs on this page for the Web App{" "}
          <span className="font-medium wrap-anywhere">{foreign(webApp.name)}</span>, from the origin{" "}
          <code className="font-mono text-xs break-all">{origin}</code>. The visit is stored like any other; looking at
          its Report here uses no unit.
        </p>
        {isAllowed ? (
          <DemoRun environmentId={webApp.environmentId} shown={`${path}?app=${webApp.webAppId}&imprint=`} />
        ) : (
          <>
            <p className="text-fg-muted">
              This origin is not on the list of the Web App, so its visits are refused.
              {canManage ? "" : " Owners, admins and developers can allow it."}
            </p>
            {canManage ? (
              <AllowOrigin {...{ workspaceId, origin }} webAppId={webApp.webAppId} allow={addOriginsAction} isMain />
            ) : null}
          </>
        )}
      </div>
    </Panel>
  );
}

export default async function DemoPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const path = pageHref("demo", { workspaceId });
  const [zone, query] = [await pageZone(), await searchParams];
  const page = await openPage("demo", { workspaceId }, (context, access) => readDemo(context, access, query));
  if (!page.ok) return page.restricted;
  const { webApp, view } = page.value;
  return (
    <>
      <PageHeader
        title="Demo"
        lead="Run the component in this browser and read its Report."
        actions={
          view ? (
            <ButtonLink href={pageHref("report", { workspaceId, imprint: view.report.imprint })}>
              Open the Report
            </ButtonLink>
          ) : null
        }
      />
      {webApp ? (
        <Run path={path} workspaceId={workspaceId} demo={{ ...page.value, webApp }} />
      ) : (
        <Panel>
          <EmptyState
            title="No active Web App"
            action={<ButtonLink href={pageHref("web-apps", { workspaceId })}>To Web Apps</ButtonLink>}
          >
            The component runs for a Web App. Create one, or resume one that is paused.
          </EmptyState>
        </Panel>
      )}
      {view ? (
        <ReportView
          workspaceId={workspaceId}
          view={view}
          now={page.context.now}
          zone={zone}
          setLabel={setLabelAction}
        />
      ) : null}
    </>
  );
}
