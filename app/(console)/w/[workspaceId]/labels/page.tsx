import { setLabelAction } from "@/app/(console)/actions/labels";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { LabelSwitch } from "@/components/report/label-switch";
import { LABEL_WORDS } from "@/components/report/label-words";
import { KIND_TEXTS } from "@/components/report/subject-href";
import { SubjectId } from "@/components/report/subject-id";
import { actorName } from "@/components/shell/creator-name";
import { pageHref } from "@/components/shell/pages";
import { ButtonLink, buttonStyle } from "@/components/ui/button";
import { DownloadLink } from "@/components/ui/download-link";
import { choiceStyle } from "@/components/ui/choice";
import type { RawQuery } from "@/components/ui/filter-texts";
import { Link } from "@/components/ui/link";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState, NoMatchState } from "@/components/ui/states";
import { RelativeTime } from "@/components/ui/time";
import { LABELS } from "@/lib/contract/labels";
import { listMembers } from "@/lib/tenancy/workspaces";
import { listLabels } from "@/lib/visits/labels";
import { ImportLabels } from "./_components/import-labels";
import { importLabelsAction } from "./actions";

export const metadata = pageMetadata("labels");

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<RawQuery>;
};
type Page = Awaited<ReturnType<typeof listLabels>>;

const SUBJECTS = {
  visit: (id: string) => ({ imprint: id }),
  device: (id: string) => ({ deviceId: id }),
  account: (id: string) => ({ accountId: id }),
};

const textOf = (value: string | string[] | undefined) =>
  typeof value === "string" && value !== "" ? value : undefined;

const countOf = ({ counts }: Page, label: string) =>
  counts.reduce((sum, each) => sum + (each.label === label ? each.count : 0), 0);

function Tabs({ path, label, page }: { path: string; label: string | undefined; page: Page }) {
  const tab = (value: string | undefined, text: string, count: number) => (
    <Link
      className={choiceStyle(value === label)}
      href={value === undefined ? path : `${path}?label=${value}`}
      {...(value === label && { "aria-current": "page" as const })}
    >
      {text} {count}
    </Link>
  );
  return (
    <nav aria-label="Labels" className="mb-4 flex flex-wrap gap-1">
      {tab(
        undefined,
        "All",
        page.counts.reduce((sum, { count }) => sum + count, 0),
      )}
      {LABELS.map((each) => (
        <span key={each}>{tab(each, LABEL_WORDS[each], countOf(page, each))}</span>
      ))}
    </nav>
  );
}

export default async function LabelsPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const parameters = await searchParams;
  const label = LABELS.find((each) => each === parameters["label"]);
  const before = textOf(parameters["before"]);
  const path = pageHref("labels", { workspaceId });
  const zone = await pageZone();
  const page = await openPage("labels", { workspaceId }, async (context) => ({
    list: await listLabels(context, { workspaceId, label, before }),
    members: await listMembers(context, { workspaceId }),
  }));
  if (!page.ok) return page.restricted;
  const { list, members } = page.value;
  const { now } = page.context;
  const query = label === undefined ? "" : `label=${label}&`;
  return (
    <>
      <PageHeader
        title="Labels"
        above={
          <Link className="link" href={pageHref("rules", { workspaceId })}>
            Rules
          </Link>
        }
        lead="What visits, devices and accounts turned out to be. Labels never change a Report: they tell how right the rules were."
        actions={
          <>
            <DownloadLink className={buttonStyle()} href={`${path}/export`}>
              CSV
            </DownloadLink>
            {list.mayLabel ? <ImportLabels workspaceId={workspaceId} action={importLabelsAction} /> : null}
          </>
        }
      />
      <Tabs path={path} label={label} page={list} />
      <Panel>
        {list.labels.length > 0 ? (
          <ul>
            {list.labels.map(({ kind, id, label: set, actorKind, createdBy, createdAt }) => (
              <li
                key={id}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1.5 last:border-b-0 focus-within:bg-surface-2 hover:bg-surface-2"
              >
                <span className="w-14 shrink-0 text-fg-muted">{KIND_TEXTS[kind]}</span>
                <span className="w-44 shrink-0">
                  <SubjectId workspaceId={workspaceId} kind={kind} value={id} isRowLink />
                </span>
                {list.mayLabel ? (
                  <LabelSwitch
                    {...{ workspaceId, label: set, action: setLabelAction }}
                    name={`Label of ${id}`}
                    subject={SUBJECTS[kind](id)}
                  />
                ) : (
                  <span>{LABEL_WORDS[set]}</span>
                )}
                <span className="min-w-0 flex-1 basis-40 wrap-anywhere text-fg-muted sm:text-right">
                  {actorName(actorKind, createdBy, members)}, <RelativeTime at={createdAt} now={now} zone={zone} />
                </span>
              </li>
            ))}
          </ul>
        ) : label === undefined ? (
          <EmptyState title="No label yet">
            Label a visit on its Report, a device or an account on its page, or import what your support knows.
          </EmptyState>
        ) : (
          <NoMatchState title="None of these" action={<ButtonLink href={path}>All labels</ButtonLink>} />
        )}
        <PageLinks
          newest={before === undefined ? undefined : path}
          older={list.older === null ? undefined : `${path}?${query}before=${encodeURIComponent(list.older)}`}
        />
      </Panel>
    </>
  );
}
