import { Link } from "@/components/ui/link";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { filterHref, isFiltered, type RawQuery } from "@/components/ui/filter-texts";
import { chosenValue } from "@/components/ui/find-in-list";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState } from "@/components/ui/states";
import { listClients, listToolCalls, TOOL_CALL_DAYS } from "@/lib/interfaces/oauth";
import type { Context } from "@/lib/platform/context";
import { type Access, holds, listMembers, readWorkspace } from "@/lib/tenancy/workspaces";
import { ToolCallFilters } from "./_components/tool-call-filters";
import { readToolCallQuery, type ToolCallTexts, toolCallFilterOf } from "./_components/tool-call-query";
import { ToolCallTable } from "./_components/tool-call-table";

export const metadata = pageMetadata("clients-calls");

const PAGE_SIZE = 50;

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };
type RowQuery = { workspaceId: string; cursor: string | undefined; typed: ToolCallTexts };

async function readCalls(context: Context, access: Access, { workspaceId, cursor, typed }: RowQuery) {
  const { keptDays } = await readWorkspace(context, { workspaceId });
  const isAll = holds(access, "oauthClient.manage");
  const [connected, members] = await Promise.all([
    listClients(context, { workspaceId, isAll }),
    listMembers(context, { workspaceId }),
  ]);
  const people = members.map(({ userId, email }) => ({ value: userId, text: email }));
  const named = new Map(connected.map((client) => [client.clientId, client.clientName]));
  const clients = [...named].map(([value, text]) => ({ value, text }));
  const query = { ...typed, client: chosenValue(clients, typed.client), person: chosenValue(people, typed.person) };
  const filter = toolCallFilterOf(query);
  const page = await listToolCalls(context, { workspaceId, isAll, cursor, limit: PAGE_SIZE, filter });
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  return {
    isAll,
    days: Math.min(keptDays, TOOL_CALL_DAYS),
    nextCursor: page.nextCursor,
    calls: page.calls.map((call) => ({ ...call, person: emails.get(call.userId) ?? "a former member" })),
    query,
    clients,
    people,
  };
}

export default async function ToolCallsPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const parameters = await searchParams;
  const typed = readToolCallQuery(parameters);
  const cursor = typeof parameters["cursor"] === "string" ? parameters["cursor"] : undefined;
  const path = pageHref("clients-calls", { workspaceId });
  const page = await openPage("clients-calls", { workspaceId }, (context, access) =>
    readCalls(context, access, { workspaceId, cursor, typed }),
  );
  if (!page.ok) return page.restricted;
  const { calls, nextCursor, isAll, days, query, clients, people } = page.value;
  return (
    <>
      <PageHeader
        title="Tool calls"
        lead={`What ${isAll ? "connected clients" : "your connected clients"} asked for, the newest first. Kept for ${days} days. Times are UTC.`}
        above={
          <Link className="link" href={pageHref("clients", { workspaceId })}>
            Connected clients
          </Link>
        }
      />
      <ToolCallFilters path={path} query={query} clients={clients} people={isAll ? people : undefined} />
      <Panel>
        {calls.length > 0 ? (
          <ToolCallTable workspaceId={workspaceId} calls={calls} />
        ) : isFiltered(query) ? (
          <NoMatchState title="No call matches" action={<ButtonLink href={path}>Clear the filters</ButtonLink>} />
        ) : (
          <EmptyState
            title="No calls yet"
            action={<ButtonLink href={pageHref("connect", { workspaceId })}>Connect</ButtonLink>}
          >
            When a connected client calls a tool, the call appears here.
          </EmptyState>
        )}
        <PageLinks
          newest={cursor && filterHref(path, query)}
          older={nextCursor && filterHref(path, query, { cursor: nextCursor })}
        />
      </Panel>
    </>
  );
}
