import { Link } from "@/components/ui/link";

import { explainOriginsAction } from "@/app/(console)/actions/origins";
import { createWebAppAction } from "@/app/(console)/actions/web-apps";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { Chip } from "@/components/ui/chip";
import { Id } from "@/components/ui/id";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { Table, Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { holds } from "@/lib/tenancy/workspaces";
import { CreateWebApp } from "./_components/create-web-app";

export const metadata = pageMetadata("web-apps");

type Props = { params: Promise<{ workspaceId: string }> };

export default async function WebAppsPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("web-apps", { workspaceId }, async (context, access) => ({
    webApps: await listWebApps(context, { workspaceId }),
    // A key is created with each.
    canCreate: holds(access, "webApp.manage") && holds(access, "apiKey.issue"),
  }));
  if (!page.ok) return page.restricted;
  const { webApps, canCreate } = page.value;
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
        {webApps.length === 0 ? (
          <EmptyState title="No Web App yet">
            {canCreate
              ? "Create one to get an environment id and a server key."
              : "An owner, admin or developer who may see addresses can create one: it comes with a key that reads them."}
          </EmptyState>
        ) : (
          <Table label="Web Apps" columns={["Name", "State", "Environment id", "Allowed origins", "Created"]}>
            {webApps.map((webApp) => (
              <tr key={webApp.webAppId} className="hover:bg-surface-2">
                <Td>
                  <Link
                    data-row-link
                    href={pageHref("web-app", { workspaceId, webAppId: webApp.webAppId })}
                    className="font-medium underline decoration-border-strong underline-offset-3 hover:decoration-current"
                  >
                    {webApp.name}
                  </Link>
                </Td>
                <Td>
                  <Chip isActive={webApp.state === "active"}>{webApp.state}</Chip>
                </Td>
                <Td>
                  <Id value={webApp.environmentId} copy="hover" />
                </Td>
                <Td className="max-w-80 truncate font-mono text-xs" title={webApp.origins.join("\n")}>
                  {webApp.origins.length === 0 ? (
                    <span className="font-sans text-susp">none: every submission is refused</span>
                  ) : (
                    <>
                      {webApp.origins[0]}
                      {webApp.origins.length > 1 ? ` +${webApp.origins.length - 1}` : ""}
                    </>
                  )}
                </Td>
                <Td>
                  <RelativeTime at={webApp.createdAt} now={page.context.now} />
                </Td>
              </tr>
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}
