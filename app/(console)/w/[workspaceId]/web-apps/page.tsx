import { CellLink } from "@/components/ui/cell-link";
import { IdTd, TimeTd } from "@/components/ui/cells";
import { countText } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";

import { explainOriginsAction } from "@/app/(console)/actions/origins";
import { addOriginsAction, createWebAppAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { AllowOrigin } from "@/components/shell/allow-origin";
import { pageHref } from "@/components/shell/pages";
import { Chip } from "@/components/ui/chip";
import { FindBox } from "@/components/ui/find-box";
import { findInList } from "@/components/ui/find-in-list";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { CutTd, Table, Td, TextTd } from "@/components/ui/table";
import { countRefusedOrigins, listWebApps, type RefusedOfWebApp } from "@/lib/tenancy/web-apps";
import { holds } from "@/lib/tenancy/workspaces";
import { CreateWebApp } from "./_components/create-web-app";

export const metadata = pageMetadata("web-apps");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ find?: string | string[] }> };

type WebApp = Awaited<ReturnType<typeof listWebApps>>[number];
type Refusals = { count: number; top: { origin: string; count: number; canBeAllowed: boolean } | undefined };

/** Submissions that are still refused, and the most frequent origin that can be allowed. */
function openRefusals({ origins }: WebApp, refused: RefusedOfWebApp | undefined): Refusals {
  const open = (refused?.origins ?? []).filter(({ origin }) => !origins.includes(origin));
  return {
    count: open.reduce((sum, { count }) => sum + count, 0),
    top: open.find(({ canBeAllowed }) => canBeAllowed) ?? open[0],
  };
}

function Refused(props: { workspaceId: string; webApp: WebApp & { refused: Refusals }; canManage: boolean }) {
  const { workspaceId, canManage } = props;
  const { webAppId, state, refused } = props.webApp;
  const { count, top } = refused;
  if (top === undefined) return <span className="text-fg-muted">none</span>;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
      <Link className="link" href={`${pageHref("web-app", { workspaceId, webAppId })}#refused`}>
        {countText(count)}
      </Link>
      <span className="max-w-48 min-w-0 font-mono text-xs wrap-anywhere whitespace-normal">
        {top.origin === "" ? "no origin" : top.origin === "*" ? "further origins" : top.origin}
      </span>
      {top.canBeAllowed && canManage && state === "active" ? (
        <AllowOrigin workspaceId={workspaceId} webAppId={webAppId} origin={top.origin} allow={addOriginsAction} />
      ) : null}
    </span>
  );
}

export default async function WebAppsPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { find }] = [await params, await searchParams];
  const page = await openPage("web-apps", { workspaceId }, async (context, access) => {
    const [webApps, refused] = await Promise.all([
      listWebApps(context, { workspaceId }),
      countRefusedOrigins(context, { workspaceId }),
    ]);
    return {
      webApps: webApps.map((webApp) => ({ ...webApp, refused: openRefusals(webApp, refused.get(webApp.webAppId)) })),
      canManage: holds(access, "webApp.manage"),
      // Creating a Web App also creates a key.
      canCreate: holds(access, "webApp.manage") && holds(access, "apiKey.issue"),
    };
  });
  if (!page.ok) return page.restricted;
  const { webApps, canCreate, canManage } = page.value;
  const found = findInList(webApps, find, ({ name, environmentId, origins }) => [name, environmentId, ...origins]);
  const create = canCreate ? (
    <CreateWebApp workspaceId={workspaceId} create={createWebAppAction} explainOrigins={explainOriginsAction} />
  ) : null;
  return (
    <>
      <PageHeader
        title="Web Apps"
        lead="A Web App is a website with an environment id for its pages and a list of origins that may submit visits."
        actions={create}
      />
      <Panel>
        <FindBox path={pageHref("web-apps", { workspaceId })} found={found} label="Name, environment id or origin" />
        {webApps.length === 0 ? (
          <EmptyState title="No Web App yet">
            {canCreate
              ? "Create one to get an environment id and a server key."
              : "An owner, admin or developer who may see addresses can create one: it comes with a key that reads them."}
          </EmptyState>
        ) : found.rows.length === 0 ? null : (
          <Table
            label="Web Apps"
            room="most-columns"
            columns={["Name", "State", "Environment id", "Allowed origins", "Refused in 24 hours", "Created"]}
          >
            {found.rows.map((webApp) => (
              <tr key={webApp.webAppId} className="hover:bg-surface-2">
                <TextTd>
                  <CellLink
                    isRowLink
                    href={pageHref("web-app", { workspaceId, webAppId: webApp.webAppId })}
                    className="font-medium"
                  >
                    {webApp.name}
                  </CellLink>
                </TextTd>
                <Td>
                  <Chip isActive={webApp.state === "active"}>{webApp.state}</Chip>
                </Td>
                <IdTd value={webApp.environmentId} copy="hover" />
                <CutTd className="max-w-80 font-mono text-xs" title={webApp.origins.join("\n")}>
                  {webApp.origins.length === 0 ? (
                    <span className="font-sans text-susp">none: every submission is refused</span>
                  ) : (
                    <>
                      {webApp.origins[0]}
                      {webApp.origins.length > 1 ? ` +${webApp.origins.length - 1}` : ""}
                    </>
                  )}
                </CutTd>
                <Td>
                  <Refused workspaceId={workspaceId} webApp={webApp} canManage={canManage} />
                </Td>
                <TimeTd at={webApp.createdAt} now={page.context.now} />
              </tr>
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}
