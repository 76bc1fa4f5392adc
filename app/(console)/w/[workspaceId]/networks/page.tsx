import { redirect } from "next/navigation";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { AddressesRestricted } from "@/components/report/addresses-restricted";
import { narrowedHref } from "@/components/report/report-query";
import { SearchBox } from "@/components/report/search-box";
import { StatusChart } from "@/components/report/status-chart";
import { SubjectFigures } from "@/components/report/subject-figures";
import { subjectHref } from "@/components/report/subject-href";
import { pagesOf, parseSubjectQuery, type SubjectQuery } from "@/components/report/subject-query";
import { lastSteps } from "@/components/report/time-steps";
import { VisitList } from "@/components/report/visit-list";
import { TopList } from "@/components/report/top-list";
import { linkedHref, networkHref, pageHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { shortId } from "@/components/ui/id";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState } from "@/components/ui/states";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import type { Context } from "@/lib/platform/context";
import { listSharers, NETWORK_DAYS, parseAsn, type Sharer, summariseSubject } from "@/lib/visits/investigation";
import { countReports, listReports } from "@/lib/visits/reports";

export const metadata = pageMetadata("network");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

const VISITS = 20;

async function readNetwork(
  context: Context,
  key: { workspaceId: string; asn: number },
  query: SubjectQuery,
  zone: string,
) {
  const { starts, ...range } = lastSteps(NETWORK_DAYS, "day", context.now, zone);
  const [summary, counts, visits, sharers] = await Promise.all([
    summariseSubject(context, { ...key, kind: "network", since: range.from }),
    countReports(context, { ...key, ...range, starts }),
    listReports(context, { ...key, ...range, before: query.visits, limit: VISITS }),
    listSharers(context, { ...key, kind: "network", since: range.from }),
  ]);
  return { summary, counts, visits, sharers };
}

const KINDS = [
  { kind: "device", title: "Devices" },
  { kind: "account", title: "Accounts" },
  { kind: "address", title: "Addresses" },
] as const;

/** Objects with the most visits from the network; each links to its page, and from there to its linked objects. */
function Sharers(props: {
  workspaceId: string;
  kind: Sharer["kind"];
  title: string;
  sharers: readonly Sharer[];
  isNewest: boolean;
}) {
  const { workspaceId, kind, title, sharers, isNewest } = props;
  return (
    <TopList
      id={`${kind}s`}
      title={title}
      heading={title}
      aside={isNewest ? "with most of the newest visits" : "with most visits"}
      rows={sharers
        .filter((each) => each.kind === kind)
        .map((each) => ({
          key: each.value,
          text: <span className="font-mono text-xs">{kind === "address" ? each.value : shortId(each.value)}</span>,
          href: subjectHref(workspaceId, kind, each.value),
          visits: each.passed + each.suspicious + each.deceptive,
          verdicts: each,
        }))}
      empty={kind === "account" ? "No Report of these visits was read with an account." : "None."}
    />
  );
}

export default async function NetworkPage({ params, searchParams }: Props) {
  const [{ workspaceId }, raw] = [await params, await searchParams];
  const [query, zone, asn] = [
    parseSubjectQuery(raw),
    await pageZone(),
    typeof raw["of"] === "string" ? parseAsn(raw["of"]) : undefined,
  ];
  const path = networkHref(workspaceId, String(asn ?? 0));
  const read = async (context: Context) =>
    asn === undefined ? undefined : unlessInvalid(readNetwork(context, { workspaceId, asn }, query, zone));
  const page = await openPage("network", { workspaceId }, read, path);
  const above = (
    <Breadcrumb workspaceId={workspaceId} list="devices">
      Network
    </Breadcrumb>
  );
  if (!page.ok)
    return (
      <>
        <PageHeader title="Network" above={above} />
        <Panel>
          <AddressesRestricted />
        </Panel>
      </>
    );
  const { value, context } = page;
  if (asn !== undefined && value === undefined) redirect(path);
  if (asn === undefined || value === undefined || value.summary.visits === 0)
    return (
      <>
        <PageHeader title={asn === undefined ? "Network" : `AS${asn}`} above={above} />
        <SearchBox workspaceId={workspaceId} className="mb-4" />
        <Panel>
          <NoMatchState
            title={asn === undefined ? "That is not a network number" : "No visit came from this network in 30 days"}
          >
            Write a network as its number, for example AS64500.
          </NoMatchState>
        </Panel>
      </>
    );
  const { summary, counts, visits, sharers } = value;
  const provider = visits.items.find(({ network }) => network?.provider !== undefined)?.network?.provider;
  const common = { workspaceId, now: context.now, zone };
  return (
    <>
      <PageHeader
        title={`Network AS${asn}`}
        above={above}
        lead={
          <>
            {provider === undefined ? null : <span className="font-medium text-fg">{provider}. </span>}
            Visits from this network, an autonomous system of the internet, in the last 30 days.
          </>
        }
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <CopyButton value={`AS${asn}`} label="Copy the number of the network">
              Copy
            </CopyButton>
            <ButtonLink href={narrowedHref(pageHref("reports", { workspaceId }), { asn: String(asn) })}>
              Its Reports
            </ButtonLink>
            <ButtonLink href={linkedHref(workspaceId, `AS${asn}`)}>What it is linked with</ButtonLink>
          </>
        }
      />
      <SubjectFigures
        of="network"
        summary={summary}
        counted={{ total: counts.total, isAll: true }}
        now={context.now}
        zone={zone}
      />
      <StatusChart steps={counts.steps} step="day" span="last 30 days" zone={zone} />
      <div className="mb-4 grid items-start gap-4 nav:grid-cols-3">
        {KINDS.map(({ kind, title }) => (
          <Sharers key={kind} {...{ workspaceId, kind, title, sharers, isNewest: summary.isTruncated }} />
        ))}
      </div>
      <VisitList {...common} visits={visits.items} {...pagesOf(path, query, "visits", visits.older)} />
    </>
  );
}
