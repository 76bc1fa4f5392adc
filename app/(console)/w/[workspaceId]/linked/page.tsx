import { openPage, pageMetadata } from "@/app/_server/console-page";
import { unlessInvalid, unlessRestricted } from "@/app/_server/unless-restricted";
import { AddToCase } from "@/app/(console)/_components/add-to-case";
import { SearchBox } from "@/components/report/search-box";
import { KIND_TEXTS } from "@/components/report/subject-href";
import { SubjectId } from "@/components/report/subject-id";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { linkedHref } from "@/components/shell/pages";
import { counted } from "@/components/ui/counted";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState } from "@/components/ui/states";
import type { Context } from "@/lib/platform/context";
import { type Group, type LinkedView, readLinks } from "@/lib/visits/investigation";
import { LinkDrawing } from "./_components/link-drawing";
import { LinkTable } from "./_components/link-table";
import { PATTERN_TEXTS } from "./_components/node-text";

export const metadata = pageMetadata("linked");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

function GroupText({ group, number }: { group: Group; number: number }) {
  const { title, text } = PATTERN_TEXTS[group.pattern];
  return (
    <li className="border-b px-4 py-2.5 last:border-b-0">
      <p className="font-semibold">
        Group {number}: {title}
      </p>
      <p className="text-fg-muted">
        {group.accounts === 0 ? "No account" : counted(group.accounts, "account")} on {counted(group.devices, "device")}
        .{group.accounts === 0 ? "" : ` ${text}`}
      </p>
    </li>
  );
}

/** Maximum number of groups described; the table has all. */
const SHOWN = 5;

function Groups({ view }: { view: LinkedView }) {
  const shown = view.groups.slice(0, SHOWN);
  return (
    <Panel id="groups" title="What is tied together" aside="without addresses that strangers share">
      <ol>
        {shown.map((group, index) => (
          <GroupText key={index} group={group} number={index + 1} />
        ))}
      </ol>
      {view.groups.length > SHOWN ? (
        <p className="border-t px-4 py-2 text-fg-muted">
          {counted(view.groups.length - SHOWN, "more group")} {view.groups.length - SHOWN === 1 ? "meets" : "meet"} the
          others at shared addresses only.
        </p>
      ) : null}
    </Panel>
  );
}

const linkedText = (others: number) => (others === 0 ? "Nothing else is linked" : counted(others, "link") + " found");

function Left({ view }: { view: LinkedView }) {
  const left = [
    view.isCut ? "Some of these have more links than are shown." : "",
    view.addressesVisible ? "" : "Addresses are not part of your role and are left out.",
    view.accountsVisible ? "" : "Accounts are not part of this plan and are left out.",
  ].filter((text) => text !== "");
  return left.length === 0 ? null : <p className="border-t px-4 py-2 text-fg-muted">{left.join(" ")}</p>;
}

export default async function LinkedPage({ params, searchParams }: Props) {
  const [{ workspaceId }, raw] = [await params, await searchParams];
  const of = typeof raw["of"] === "string" ? raw["of"].trim() : "";
  const read = (context: Context) => unlessInvalid(unlessRestricted(readLinks(context, { workspaceId, of })));
  const page = await openPage("linked", { workspaceId }, read, linkedHref(workspaceId, of));
  if (!page.ok) return page.restricted;
  const [view, start] = [page.value, page.value?.nodes[0]];
  const above = (
    <Breadcrumb workspaceId={workspaceId} list="devices">
      Linked
    </Breadcrumb>
  );
  if (!view || !start)
    return (
      <>
        <PageHeader title="Linked" above={above} />
        <SearchBox workspaceId={workspaceId} className="mb-4" />
        <Panel>
          <NoMatchState title="Nothing to follow links from">
            Open a device, an account, one address or a network that your role and plan include, and choose “What it is
            linked with”.
          </NoMatchState>
        </Panel>
      </>
    );
  return (
    <>
      <PageHeader
        title="What it is linked with"
        above={above}
        lead={
          <>
            Accounts, devices and addresses within two steps of the {KIND_TEXTS[start.kind].toLowerCase()}{" "}
            <SubjectId workspaceId={workspaceId} kind={start.kind} value={start.value} />. Addresses that strangers
            share are shown, but no link is followed through them.
          </>
        }
        actions={
          <AddToCase
            workspaceId={workspaceId}
            items={view.nodes.flatMap(({ kind, value }) => (kind === "network" ? [] : [value])).slice(0, 100)}
            what="all of these"
          />
        }
      />
      <div className="flex flex-col gap-4">
        <Groups view={view} />
        <Panel id="linked" title={linkedText(view.nodes.length - 1)}>
          <LinkDrawing workspaceId={workspaceId} view={view} />
          <div className="sm:border-t">
            <LinkTable workspaceId={workspaceId} view={view} />
          </div>
          <Left view={view} />
        </Panel>
      </div>
    </>
  );
}
