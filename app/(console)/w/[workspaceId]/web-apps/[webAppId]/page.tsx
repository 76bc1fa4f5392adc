import { pageHref, queryHref } from "@/components/shell/pages";
import { foreign } from "@/components/ui/foreign";
import { Link } from "@/components/ui/link";

import { readConsequencesAction } from "@/app/(console)/actions/consequences";
import { explainOriginsAction } from "@/app/(console)/actions/origins";
import {
  addOriginsAction,
  changeWebAppAction,
  removeOriginAction,
  renameWebAppAction,
} from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { Chip } from "@/components/ui/chip";
import { CodeTabs } from "@/components/ui/code-tabs";
import { Id } from "@/components/ui/id";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import { PAGE_SAMPLES, readSamples, SERVER_SAMPLES } from "@/lib/interfaces/documents";
import type { Context } from "@/lib/platform/context";
import { listRefusedOrigins, readWebApp } from "@/lib/tenancy/web-apps";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { listReports } from "@/lib/visits/reports";
import { OriginEditor } from "./_components/origin-editor";
import { RefusedOrigins } from "./_components/refused-origins";
import { WebAppActions } from "./_components/web-app-actions";

export const metadata = pageMetadata("web-app");

const LAST_VISIT_DAYS = 90;
const DAY_MS = 86_400_000;

type WebAppKey = { workspaceId: string; webAppId: string };
type Props = { params: Promise<WebAppKey> };

async function readDetail(context: Context, access: Access, key: WebAppKey) {
  const span = {
    from: new Date(context.now.getTime() - LAST_VISIT_DAYS * DAY_MS),
    to: new Date(context.now.getTime() + 60_000),
  };
  const webApp = await readWebApp(context, key);
  const [refused, last] = await Promise.all([
    listRefusedOrigins(context, key),
    listReports(context, { ...key, ...span, limit: 1 }),
  ]);
  return { webApp, refused, lastVisit: last.items[0], canManage: holds(access, "webApp.manage") };
}

const STATE_TEXT = {
  active: "accepts visits from its allowed origins",
  paused: "refuses every visit until it is resumed",
  archived: "refuses every visit for good",
} as const;

export default async function WebAppPage({ params }: Props) {
  const key = await params;
  const { workspaceId } = key;
  const page = await openPage("web-app", key, (context, access) => readDetail(context, access, key));
  if (!page.ok) return page.restricted;
  const { webApp, refused, lastVisit, canManage } = page.value;
  const { now } = page.context;
  const isOpen = webApp.state !== "archived";
  const webAppKey = { workspaceId, webAppId: webApp.webAppId };
  const [pageSamples, serverSamples] = await Promise.all([
    readSamples(PAGE_SAMPLES, webApp.environmentId),
    readSamples(SERVER_SAMPLES),
  ]);
  return (
    <>
      <PageHeader
        title={webApp.name}
        above={
          <Breadcrumb workspaceId={workspaceId} list="web-apps">
            {foreign(webApp.name)}
          </Breadcrumb>
        }
        actions={
          canManage ? (
            <WebAppActions
              webApp={webAppKey}
              name={webApp.name}
              state={webApp.state}
              change={changeWebAppAction}
              rename={renameWebAppAction}
              readConsequences={readConsequencesAction}
            />
          ) : null
        }
      />
      <div className="grid gap-4 nav:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel>
            <Facts
              rows={[
                { name: "Environment id", value: <Id value={webApp.environmentId} isWhole copy="always" /> },
                {
                  name: "State",
                  value: (
                    <>
                      <Chip isActive={webApp.state === "active"}>{webApp.state}</Chip>{" "}
                      <span className="text-fg-muted">{STATE_TEXT[webApp.state]}</span>
                    </>
                  ),
                },
                {
                  name: "Last visit",
                  value: lastVisit ? (
                    <Link className="link" href={pageHref("report", { workspaceId, imprint: lastVisit.imprint })}>
                      <RelativeTime at={lastVisit.recordedAt} now={now} />
                    </Link>
                  ) : (
                    <span className="text-fg-muted">none in {LAST_VISIT_DAYS} days</span>
                  ),
                },
                { name: "Created", value: <AbsoluteTime at={webApp.createdAt} /> },
                {
                  name: "Usage",
                  value: (
                    <Link className="link" href={queryHref("usage", { workspaceId }, { web_app: webApp.webAppId })}>
                      Units and calls of this Web App
                    </Link>
                  ),
                },
                {
                  name: "Server keys",
                  value: (
                    <>
                      belong to the workspace:{" "}
                      <Link className="link" href={pageHref("keys", { workspaceId })}>
                        Keys
                      </Link>
                    </>
                  ),
                },
              ]}
            />
          </Panel>
          <OriginEditor
            webApp={webAppKey}
            origins={webApp.origins}
            ends={Object.fromEntries(
              webApp.allowedOrigins.flatMap(({ origin, expiresAt }) =>
                expiresAt ? [[origin, expiresAt.toISOString()]] : [],
              ),
            )}
            now={page.context.now.toISOString()}
            canManage={canManage && isOpen}
            adminCommand={ADMIN_COMMAND}
            add={addOriginsAction}
            remove={removeOriginAction}
            explainOrigins={explainOriginsAction}
            readConsequences={readConsequencesAction}
          />
          <RefusedOrigins
            webApp={webAppKey}
            rows={refused
              .filter(({ origin }) => !webApp.origins.includes(origin))
              .map((row) => ({ ...row, lastSeenAt: row.lastSeenAt?.toISOString() ?? null }))}
            now={now.toISOString()}
            canManage={canManage && isOpen}
            allow={addOriginsAction}
          />
        </div>
        <Panel id="install" title="Install" className="h-fit">
          <div className="flex flex-col gap-3 p-4">
            <CodeTabs label="On your page" codes={pageSamples} />
            <CodeTabs label="On your server" codes={serverSamples} />
            <p className="text-fg-muted">
              The{" "}
              <Link className="link" href="/docs/quickstart">
                Quickstart
              </Link>{" "}
              explains each step. To see a Report first,{" "}
              <Link className="link" href={queryHref("demo", { workspaceId }, { app: webApp.webAppId })}>
                run the component in this browser
              </Link>
              .
            </p>
          </div>
        </Panel>
      </div>
    </>
  );
}
