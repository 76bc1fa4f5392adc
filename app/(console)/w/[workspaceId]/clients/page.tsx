import Link from "next/link";

import { revokeAllClientsAction, revokeClientAction } from "./actions";
import { pageContext, readForPage } from "@/app/_server/page";
import { type ClientRow, ClientTable, RevokeAllClients } from "./_components/client-table";
import { McpOff } from "@/components/shell/mcp-off";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, RestrictedState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { isMcpOn, listClients, scopeTitles } from "@/lib/interfaces/oauth";
import { listMembers, readWorkspace, roleHas } from "@/lib/tenancy/workspaces";

export const metadata = { title: "Connected clients" };

type Props = { params: Promise<{ workspaceId: string }> };

async function readClients(context: Context, workspaceId: string) {
  const { role } = await readWorkspace(context, { workspaceId });
  const isAll = role === undefined || roleHas(role, "oauthClient.manage");
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
  const context = await pageContext(`/w/${workspaceId}/clients`);
  const reading = await readForPage(() => readClients(context, workspaceId));
  if (!reading.ok) {
    return (
      <RestrictedState title="Connected clients are not part of your role">{reading.restriction}.</RestrictedState>
    );
  }
  const { clients, isAll } = reading.value;
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
            <ButtonLink href={`/w/${workspaceId}/clients/calls`}>Calls of tools</ButtonLink>
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
            now={context.now.toISOString()}
            revoke={revokeClientAction}
          />
        )}
      </Panel>
    </>
  );
}
