import { pageContext, readForPage } from "@/app/_server/page";
import { AuditFilters } from "./_components/audit-filters";
import { auditFilterOf, readAuditQuery } from "./_components/audit-query";
import { AuditTable } from "./_components/audit-table";
import { filterAddress, isFiltered, type Parameters } from "@/components/ui/filter-texts";
import { PageLinks } from "@/components/ui/page-links";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState, RestrictedState } from "@/components/ui/states";
import { listAudit, listMembers, readWorkspace } from "@/lib/tenancy/workspaces";

export const metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<Parameters> };

export default async function AuditPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const parameters = await searchParams;
  const query = readAuditQuery(parameters);
  const cursor = typeof parameters["cursor"] === "string" ? parameters["cursor"] : undefined;
  const path = `/w/${workspaceId}/audit`;
  const context = await pageContext(path);
  const reading = await readForPage(async () => ({
    page: await listAudit(context, { workspaceId, cursor, limit: PAGE_SIZE, filter: auditFilterOf(query) }),
    members: await listMembers(context, { workspaceId }),
    access: await readWorkspace(context, { workspaceId }),
  }));
  if (!reading.ok) {
    return (
      <>
        <PageHeader title="Audit log" />
        <Panel>
          <RestrictedState title="The audit log is not part of your role">
            {reading.restriction}. Owners and admins can.
          </RestrictedState>
        </Panel>
      </>
    );
  }
  const { page, members, access } = reading.value;
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Every change, who made it and when. Entries are never altered. Times are UTC."
        actions={
          <>
            <ButtonLink prefetch={false} href={filterAddress(`${path}/export`, query, { format: "csv" })} download>
              CSV
            </ButtonLink>
            <ButtonLink prefetch={false} href={filterAddress(`${path}/export`, query, { format: "json" })} download>
              JSON
            </ButtonLink>
          </>
        }
      />
      <AuditFilters path={path} query={query} members={members} />
      <Panel>
        {page.entries.length > 0 ? (
          <AuditTable entries={page.entries} members={members} addressesVisible={access.canSeeAddresses} />
        ) : isFiltered(query) ? (
          <NoMatchState title="No entry matches" action={<ButtonLink href={path}>Clear the filters</ButtonLink>} />
        ) : (
          <EmptyState title="No entries">Changes to this workspace appear here.</EmptyState>
        )}
        <PageLinks path={path} query={query} cursor={cursor} nextCursor={page.nextCursor} />
      </Panel>
    </>
  );
}
