import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink, buttonStyle } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { filterHref, isFiltered, type RawQuery } from "@/components/ui/filter-texts";
import { chosenValue } from "@/components/ui/find-in-list";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState } from "@/components/ui/states";
import { listAudit, listMembers } from "@/lib/tenancy/workspaces";
import { actorsOf, AuditFilters } from "./_components/audit-filters";
import { auditFilterOf, readAuditQuery } from "./_components/audit-query";
import { AuditTable } from "./_components/audit-table";
import { readTargets } from "./_components/read-targets";

export const metadata = pageMetadata("audit");

const PAGE_SIZE = 50;

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

export default async function AuditPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const parameters = await searchParams;
  const typed = readAuditQuery(parameters);
  const cursor = typeof parameters["cursor"] === "string" ? parameters["cursor"] : undefined;
  const path = pageHref("audit", { workspaceId });
  const page = await openPage("audit", { workspaceId }, async (context, { canSeeAddresses }) => {
    const members = await listMembers(context, { workspaceId });
    const actors = actorsOf(members);
    const query = { ...typed, actor: chosenValue(actors, typed.actor) };
    const log = await listAudit(context, { workspaceId, cursor, limit: PAGE_SIZE, filter: auditFilterOf(query) });
    const targets = await readTargets(context, { workspaceId }, log.entries);
    return { log, query, actors, members, targets, canSeeAddresses };
  });
  if (!page.ok) return page.restricted;
  const { log, query, actors, members, targets, canSeeAddresses } = page.value;
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Every change, who made it and when. Entries are never altered. Times are UTC."
        actions={
          <>
            <DownloadLink className={buttonStyle()} href={filterHref(`${path}/export`, query, { format: "csv" })}>
              CSV
            </DownloadLink>
            <DownloadLink className={buttonStyle()} href={filterHref(`${path}/export`, query, { format: "json" })}>
              JSON
            </DownloadLink>
          </>
        }
      />
      <AuditFilters path={path} query={query} actors={actors} />
      <Panel>
        {log.entries.length > 0 ? (
          <AuditTable entries={log.entries} {...{ members, targets }} addressesVisible={canSeeAddresses} />
        ) : isFiltered(query) ? (
          <NoMatchState title="No entry matches" action={<ButtonLink href={path}>Clear the filters</ButtonLink>} />
        ) : (
          <EmptyState title="No entries">Changes to this workspace appear here.</EmptyState>
        )}
        <PageLinks
          newest={cursor && filterHref(path, query)}
          older={log.nextCursor && filterHref(path, query, { cursor: log.nextCursor })}
        />
      </Panel>
    </>
  );
}
