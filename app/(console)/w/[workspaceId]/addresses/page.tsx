import { openPage, pageMetadata } from "@/app/_server/console-page";
import { addToCaseAction, openCaseAction } from "@/app/(console)/actions/cases";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { CountryList } from "@/components/report/country-panel";
import { DeviceTable } from "@/components/report/device-table";
import { narrowedHref, type RawQuery } from "@/components/report/report-query";
import { StatusChart } from "@/components/report/status-chart";
import { SubjectFigures } from "@/components/report/subject-figures";
import { pagesOf, parseSubjectQuery, type SubjectQuery } from "@/components/report/subject-query";
import { allOfIt, lastSteps } from "@/components/report/time-steps";
import { VisitList } from "@/components/report/visit-list";
import { AddToCase } from "@/components/case/add-to-case";
import { evidenceHref, EvidenceLinks } from "@/components/case/evidence-links";
import { addressHref, linkedHref, pageHref } from "@/components/shell/pages";
import { SearchBox } from "@/components/report/search-box";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState, RestrictedState } from "@/components/ui/states";
import { readAddress } from "@/lib/visits/devices";
import { summariseSubject } from "@/lib/visits/investigation";
import { countReports, listReports } from "@/lib/visits/reports";
import type { Context } from "@/lib/platform/context";

export const metadata = pageMetadata("address");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

const WEEKS = 13;
const VISITS = 20;

const grouped = new Intl.NumberFormat("en-US");
const amount = (count: number, one: string, isLeast: boolean) =>
  `${isLeast ? "at least " : ""}${grouped.format(count)} ${one}${count === 1 ? "" : one.endsWith("s") ? "es" : "s"}`;

type Found = Awaited<ReturnType<typeof readAddress>>;

/** Summary of an address or range. */
function leadOf({ deviceCount, addressCount, isSingle, isTruncated }: Found): string {
  const devices = amount(deviceCount, "device", isTruncated);
  return isSingle
    ? `${devices} seen here`
    : `${devices} at ${amount(addressCount, "address", isTruncated)} of this range`;
}

async function readAll(
  context: Context,
  key: { workspaceId: string; address: string },
  query: SubjectQuery,
  zone: string,
) {
  const found = await readAddress(context, { ...key, before: query.devices });
  if (found.devices.length === 0) return { found, more: undefined };
  const [summary, counts, visits] = await Promise.all([
    summariseSubject(context, { ...key, kind: "address" }),
    countReports(context, { ...key, ...lastSteps(WEEKS, "week", context.now, zone) }),
    listReports(context, { ...key, ...allOfIt(context.now), before: query.visits, limit: VISITS }),
  ]);
  return { found, more: { summary, counts, visits } };
}

export default async function AddressPage({ params, searchParams }: Props) {
  const [{ workspaceId }, raw] = [await params, await searchParams];
  const [query, zone] = [parseSubjectQuery(raw), await pageZone()];
  const of = typeof raw["of"] === "string" ? raw["of"] : "";
  const path = addressHref(workspaceId, of);
  const read = (context: Context) => unlessInvalid(readAll(context, { workspaceId, address: of }, query, zone));
  const page = await openPage("address", { workspaceId }, read, path);
  const above = (
    <Breadcrumb workspaceId={workspaceId} list="devices">
      Address
    </Breadcrumb>
  );
  const search = <SearchBox workspaceId={workspaceId} className="mb-4" />;
  if (!page.ok)
    return (
      <>
        <PageHeader title="Address" above={above} />
        <Panel>
          <RestrictedState title="Addresses and places are not part of your role">
            An owner or admin of this workspace can change that.
          </RestrictedState>
        </Panel>
      </>
    );
  const found = page.value?.found;
  const more = page.value?.more;
  if (!found || !more)
    return (
      <>
        <PageHeader title={found?.range ?? "Address"} above={above} />
        {search}
        <Panel>
          <NoMatchState title={found ? "No device was seen here" : "That is neither an address nor a range"}>
            Addresses are written as 203.0.113.7 or 2001:db8::1, ranges as 203.0.113.0/24.
          </NoMatchState>
        </Panel>
      </>
    );
  const common = { workspaceId, now: page.context.now, zone };
  const reports = narrowedHref(pageHref("reports", { workspaceId }), { address: found.range });
  return (
    <>
      <PageHeader
        title={<span className="font-mono break-all">{found.range}</span>}
        above={above}
        lead={leadOf(found)}
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <CopyButton value={found.range} label="Copy the address">
              Copy
            </CopyButton>
            <ButtonLink href={reports}>Its Reports</ButtonLink>
            {found.isSingle ? (
              <ButtonLink href={linkedHref(workspaceId, found.range)}>What it is linked with</ButtonLink>
            ) : null}
            <AddToCase
              workspaceId={workspaceId}
              items={[found.range]}
              what="this address"
              open={openCaseAction}
              add={addToCaseAction}
            />
            <EvidenceLinks href={evidenceHref(workspaceId, found.range)} />
          </>
        }
      />
      {search}
      <SubjectFigures
        of="address"
        summary={more.summary}
        counted={{ total: more.counts.total, devices: found.deviceCount, isAll: false }}
        now={page.context.now}
        zone={zone}
      />
      <StatusChart steps={more.counts.steps} step="week" span="last 13 weeks" zone={zone} />
      <VisitList {...common} visits={more.visits.items} {...pagesOf(path, query, "visits", more.visits.older)} />
      <div className="grid items-start gap-4 nav:grid-cols-[minmax(0,2.4fr)_minmax(0,1fr)]">
        <Panel id="devices" title="Devices" aside="latest first">
          <DeviceTable {...common} devices={found.devices} label="Devices at this address" />
          <PageLinks {...pagesOf(path, query, "devices", found.older)} />
        </Panel>
        <Panel id="countries" title="Countries" aside="devices">
          <CountryList
            countries={found.countries.map(({ countryCode, devices }) => ({ countryCode, count: devices }))}
            what="devices"
          />
        </Panel>
      </div>
    </>
  );
}
