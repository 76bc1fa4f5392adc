import { pageContext, readForPage } from "@/app/_server/page";
import { creatorName } from "@/components/console/creator-name";
import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/id";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, RestrictedState } from "@/components/ui/states";
import { Table, Td, Th } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/audit";
import { listAudit, listMembers } from "@/lib/workspaces";

export const metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const KINDS: Record<string, string> = { apiKey: "API key", oauthClient: "connected client" };

const actorName = ({ actorKind, actorId }: AuditEntry, members: readonly { userId: string; email: string }[]) =>
  actorKind === "user" ? creatorName(actorId, members) : (KINDS[actorKind] ?? creatorName(actorKind, members));

const detailText = (detail: Record<string, unknown>) =>
  Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "")
    .map(
      ([name, value]) =>
        `${name}: ${Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .join(" · ");

export default async function AuditPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const given = (await searchParams)["cursor"];
  const cursor = typeof given === "string" ? given : undefined;
  const path = `/w/${workspaceId}/audit`;
  const context = await pageContext(path);
  const reading = await readForPage(async () => ({
    page: await listAudit(context, { workspaceId, cursor, limit: PAGE_SIZE }),
    members: await listMembers(context, { workspaceId }),
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
  const { page, members } = reading.value;
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Every change, who made it and when. Entries are never altered. Times are UTC."
      />
      <Panel>
        {page.entries.length === 0 ? (
          <EmptyState title="No entries">Changes to this workspace appear here.</EmptyState>
        ) : (
          <Table label="Audit log">
            <thead>
              <tr>
                <Th>Time</Th>
                <Th>Who</Th>
                <Th>Action</Th>
                <Th>Target</Th>
                <Th>Detail</Th>
              </tr>
            </thead>
            <tbody>
              {page.entries.map((entry) => (
                <tr key={entry.auditId}>
                  <Td>
                    <AbsoluteTime at={entry.at} />
                  </Td>
                  <Td>{actorName(entry, members)}</Td>
                  <Td className="font-mono text-xs">{entry.action}</Td>
                  <Td>
                    <Id value={entry.target} copy="hover" />
                  </Td>
                  <Td className="max-w-96 truncate text-fg-muted" title={detailText(entry.detail)}>
                    {detailText(entry.detail)}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        {cursor || page.nextCursor ? (
          <nav aria-label="Pages" className="flex justify-end gap-2 border-t px-4 py-2">
            {cursor ? (
              <ButtonLink size="sm" href={path}>
                Newest
              </ButtonLink>
            ) : null}
            {page.nextCursor ? (
              <ButtonLink size="sm" href={`${path}?cursor=${encodeURIComponent(page.nextCursor)}`}>
                Older
              </ButtonLink>
            ) : null}
          </nav>
        ) : null}
      </Panel>
    </>
  );
}
