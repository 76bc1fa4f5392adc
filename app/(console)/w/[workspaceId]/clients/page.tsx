import { pageHref } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { McpOff } from "@/components/shell/mcp-off";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { isMcpOn, listClients, scopeTitles } from "@/lib/interfaces/oauth";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { type Access, holds, listMembers } from "@/lib/tenancy/workspaces";
import { type ClientRow, ClientTable, RevokeAllClients } from "./_components/client-table";
import { revokeAllClientsAction, revokeClientAction } from "./actions";

export const metadata = pageMetadata("clients");

type Props = { params: Promise<{ workspaceId: string }> };

async function readClients(context: Context, access: Access) {
  const { workspaceId } = access;
  const isAll = holds(access, "oauthClient.manage");
  const [clients, members] = await Promise.all([
    listClients(context, { workspaceId, isAll }),
    listMembers(context, { workspaceId }),
  ]);
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  return {
    isAll,
    clients: clients.map(
      ({ grantId, clientName, verifiedHost, redirectTarget, scope, userId, ...client }): ClientRow => ({
        grantId,
        name: clientName,
        verifiedHost,
        redirectTarget,
        scopes: scopeTitles(scope),
        person: emails.get(userId) ?? "a former member",
        connectedAt: client.connectedAt.toISOString(),
        lastUsedAt: client.lastUsedAt?.toISOString() ?? null,
      }),
    ),
  };
}

export default async function ClientsPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("clients", { workspaceId }, readClients);
  if (!page.ok) return page.restricted;
  const { clients, isAll } = page.value;
  const isOn = await isMcpOn();
  return (
    <>
      <PageHeader
        title="Connected clients"
        lead={
          isAll
            ? "Agents and assistants that people of this workspace allowed to read for them."
            : "Agents and assistants that you allowed to read for you."
        }
        actions={
          <>
            <ButtonLink href={pageHref("clients-calls", { workspaceId })}>Tool calls</ButtonLink>
            {clients.length > 1 ? (
              <RevokeAllClients workspaceId={workspaceId} isAll={isAll} revokeAll={revokeAllClientsAction} />
            ) : null}
          </>
        }
      />
      {isOn ? null : <McpOff />}
      <Panel>
        {clients.length === 0 ? (
          <EmptyState title="No client is connected">
            Add <code className="font-mono text-xs break-all">{baseUrl()}/mcp</code> to a client of the Model Context
            Protocol.{" "}
            <Link className="link" href="/docs/mcp">
              How to connect
            </Link>
          </EmptyState>
        ) : (
          <ClientTable
            workspaceId={workspaceId}
            clients={clients}
            now={page.context.now.toISOString()}
            revoke={revokeClientAction}
          />
        )}
      </Panel>
    </>
  );
}
