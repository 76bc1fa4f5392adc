import { redirect } from "next/navigation";

import { addToCaseAction } from "@/app/(console)/actions/cases";
import { openPage, titledById } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { EvidenceLinks } from "@/components/case/evidence-links";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { creatorName } from "@/components/shell/creator-name";
import { pageHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { FindBox } from "@/components/ui/find-box";
import { type Found, findInList } from "@/components/ui/find-in-list";
import { PageHeader, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { readCase } from "@/lib/tenancy/cases";
import { listMembers } from "@/lib/tenancy/workspaces";
import { summariseCase } from "@/lib/visits/investigation";
import {
  assignCaseAction,
  commentOnCaseAction,
  deleteCaseAction,
  deleteCommentAction,
  renameCaseAction,
  setCaseStatusAction,
  takeFromCaseAction,
} from "../actions";
import { CaseActions } from "./_components/case-actions";
import { CaseAccounts, CaseFigures, CaseVisits } from "./_components/case-evidence";
import { CaseHistory } from "./_components/case-history";
import { CaseItems } from "./_components/case-items";
import { CaseState } from "./_components/case-state";
import { CommentForm } from "./_components/comment-form";

type Props = {
  params: Promise<{ workspaceId: string; caseId: string }>;
  searchParams: Promise<RawQuery>;
};

export const generateMetadata = titledById("case", "caseId");

/** A case as shown on the page. */
async function readWhole(context: Context, of: { workspaceId: string; caseId: string }, cursor: string | undefined) {
  const { workspaceId } = of;
  const [found, members] = await Promise.all([
    readCase(context, { ...of, cursor }),
    listMembers(context, { workspaceId }),
  ]);
  return { found, members, summary: await summariseCase(context, { workspaceId, items: found.items }) };
}

type Read = Awaited<ReturnType<typeof readWhole>>;

/** The members that were searched for, and the assignee, even if no longer a member. */
function peopleOf({ found: { assigneeId }, members }: Read, searched: Found<Read["members"][number]>) {
  const people = searched.rows.map(({ userId, email }) => ({ userId, name: email }));
  const isKnown = assigneeId === "" || people.some(({ userId }) => userId === assigneeId);
  return isKnown ? people : [...people, { userId: assigneeId, name: creatorName(assigneeId, members) }];
}

export default async function CasePage({ params, searchParams }: Props) {
  const [of, query] = [await params, await searchParams];
  const { workspaceId } = of;
  const [path, zone] = [pageHref("case", of), await pageZone()];
  const cursor = typeof query["before"] === "string" ? query["before"] : undefined;
  const page = await openPage("case", of, (context) => unlessInvalid(readWhole(context, of, cursor)));
  if (!page.ok) return page.restricted;
  if (page.value === undefined) redirect(path);
  const { found, members, summary } = page.value;
  const { now } = page.context;
  const nameOf = (userId: string) => creatorName(userId === "" ? "operator" : userId, members);
  const common = { of, nameOf, now, zone };
  const searched = findInList(members, query["member"], ({ email }) => [email]);
  return (
    <>
      <PageHeader
        title={found.name}
        above={<Breadcrumb workspaceId={workspaceId} list="cases" id={found.caseId} />}
        lead={
          <>
            Opened by {nameOf(found.createdBy)}, <AbsoluteTime at={found.createdAt} zone={zone} />
          </>
        }
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <EvidenceLinks href={(format) => `${path}/export?format=${format}`} />
            <CaseActions
              of={of}
              name={found.name}
              canDelete={found.canDelete}
              listHref={pageHref("cases", { workspaceId })}
              rename={renameCaseAction}
              add={addToCaseAction}
              remove={deleteCaseAction}
            />
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <CaseFigures summary={summary} />
        <CaseItems {...common} items={found.items} take={takeFromCaseAction} />
        <div className="grid items-start gap-4 nav:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-4">
            <CaseAccounts workspaceId={workspaceId} summary={summary} now={now} zone={zone} />
            <CaseVisits workspaceId={workspaceId} summary={summary} now={now} zone={zone} />
          </div>
          <div className="flex min-w-0 flex-col gap-4 max-nav:order-first">
            <Panel>
              <CaseState
                of={of}
                status={found.status}
                assigneeId={found.assigneeId}
                people={peopleOf(page.value, searched)}
                setStatus={setCaseStatusAction}
                assign={assignCaseAction}
              />
              <FindBox path={path} name="member" found={searched} label="Members to assign it to" />
            </Panel>
            <CaseHistory
              {...common}
              entries={found.entries}
              newest={cursor === undefined ? undefined : path}
              older={found.nextCursor === undefined ? undefined : `${path}?before=${found.nextCursor}`}
              deleteComment={deleteCommentAction}
            >
              <CommentForm of={of} comment={commentOnCaseAction} />
            </CaseHistory>
          </div>
        </div>
      </div>
    </>
  );
}
