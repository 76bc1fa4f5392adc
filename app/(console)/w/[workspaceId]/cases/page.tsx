import { redirect } from "next/navigation";

import { openCaseAction } from "@/app/(console)/actions/cases";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { CaseStatusChip } from "@/components/case/case-status";
import { creatorName } from "@/components/shell/creator-name";
import { pageHref } from "@/components/shell/pages";
import { CellLink } from "@/components/ui/cell-link";
import { NumberTh, TimeTd } from "@/components/ui/cells";
import { choiceStyle } from "@/components/ui/choice";
import type { RawQuery } from "@/components/ui/filter-texts";
import { Link } from "@/components/ui/link";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState } from "@/components/ui/states";
import { Table, Td, TextTd } from "@/components/ui/table";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { type CaseStatus, type CaseSummary, listCases } from "@/lib/tenancy/cases";
import { listMembers } from "@/lib/tenancy/workspaces";
import { CreateCase } from "./_components/create-case";

export const metadata = pageMetadata("cases");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

/** Which cases are shown, with the query value of each choice. */
const SHOWN = {
  open: { text: "Open", statuses: ["open", "in_progress"] },
  mine: { text: "Mine", statuses: ["open", "in_progress"] },
  closed: { text: "Closed", statuses: ["closed"] },
  all: { text: "All", statuses: undefined },
} as const satisfies Record<string, { text: string; statuses: readonly CaseStatus[] | undefined }>;
type Shown = keyof typeof SHOWN;

const isShown = (text: unknown): text is Shown => typeof text === "string" && Object.hasOwn(SHOWN, text);

type Query = { shown: Shown; cursor: string | undefined };

/** A page of the list, with the members. */
async function readPage(context: Context & { actor: { userId: string } }, workspaceId: string, query: Query) {
  const { shown, cursor } = query;
  const { statuses } = SHOWN[shown];
  const assigneeId = shown === "mine" ? context.actor.userId : undefined;
  const [list, members] = await Promise.all([
    listCases(context, { workspaceId, statuses, assigneeId, cursor }),
    listMembers(context, { workspaceId }),
  ]);
  return { ...list, members };
}

type TableProps = {
  workspaceId: string;
  cases: readonly CaseSummary[];
  members: readonly { userId: string; email: string }[];
  now: Date;
  zone: string;
};

const CaseTable = ({ workspaceId, cases, members, now, zone }: TableProps) => (
  <Table label="Cases" columns={["Case", "Status", "Assigned to", <NumberTh>Items</NumberTh>, "Changed", "Opened"]}>
    {cases.map((each) => (
      <tr key={each.caseId} className="hover:bg-surface-2 focus-within:bg-surface-2">
        <TextTd className="font-medium">
          <CellLink isRowLink href={pageHref("case", { workspaceId, caseId: each.caseId })}>
            {each.name}
          </CellLink>
        </TextTd>
        <Td>
          <CaseStatusChip status={each.status} />
        </Td>
        <TextTd>
          {each.assigneeId === "" ? (
            <span className="text-fg-muted">nobody</span>
          ) : (
            creatorName(each.assigneeId, members)
          )}
        </TextTd>
        <Td className="text-right">{each.items}</Td>
        <TimeTd at={each.changedAt} now={now} zone={zone} />
        <TimeTd at={each.createdAt} now={now} zone={zone} />
      </tr>
    ))}
  </Table>
);

export default async function CasesPage({ params, searchParams }: Props) {
  const [{ workspaceId }, query] = [await params, await searchParams];
  const [path, zone] = [pageHref("cases", { workspaceId }), await pageZone()];
  const shown = isShown(query["show"]) ? query["show"] : "open";
  const cursor = typeof query["before"] === "string" ? query["before"] : undefined;
  const hrefOf = (name: Shown) => (name === "open" ? path : `${path}?show=${name}`);
  const page = await openPage("cases", { workspaceId }, (context) =>
    unlessInvalid(readPage(context, workspaceId, { shown, cursor })),
  );
  if (!page.ok) return page.restricted;
  if (page.value === undefined) redirect(hrefOf(shown));
  const { cases, members, nextCursor } = page.value;
  const older = nextCursor === undefined ? undefined : `${path}?show=${shown}&before=${nextCursor}`;
  return (
    <>
      <PageHeader
        title="Cases"
        lead="What members look into together: visits, devices, addresses and accounts with comments, and their evidence as one file."
        actions={<CreateCase workspaceId={workspaceId} open={openCaseAction} />}
      />
      <nav aria-label="Which cases" className="mb-4 flex flex-wrap gap-1">
        {Object.entries(SHOWN).map(([name, { text }]) => (
          <Link
            key={name}
            href={isShown(name) ? hrefOf(name) : path}
            aria-current={name === shown ? "page" : undefined}
            className={choiceStyle(name === shown)}
          >
            {text}
          </Link>
        ))}
      </nav>
      <Panel id="cases" title="Latest changed first" aside={<ZoneSwitch zone={zone} />}>
        {cases.length > 0 ? (
          <CaseTable workspaceId={workspaceId} cases={cases} members={members} now={page.context.now} zone={zone} />
        ) : shown === "open" ? (
          <EmptyState title="No case is open">
            Open one here, or from a Report, a device, an address or an account by “Add to case…”.
          </EmptyState>
        ) : (
          <NoMatchState title="No such case">Choose others above.</NoMatchState>
        )}
        <PageLinks newest={cursor === undefined ? undefined : hrefOf(shown)} older={older} />
      </Panel>
    </>
  );
}
