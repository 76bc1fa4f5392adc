import { openPage, pageMetadata } from "@/app/_server/console-page";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { pageZone } from "@/app/_server/zone";
import { SubjectActions } from "@/app/(console)/_components/subject-actions";
import { readSubject } from "@/app/_server/read-subject";
import { AddressesRestricted } from "@/components/report/addresses-restricted";
import { counted } from "@/components/ui/counted";
import type { RawQuery } from "@/components/ui/filter-texts";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { CountryList } from "@/components/report/country-panel";
import { DeviceTable } from "@/components/report/device-table";
import { StatusChart } from "@/components/report/status-chart";
import { SubjectFigures } from "@/components/report/subject-figures";
import { pagesOf, parseSubjectQuery, type SubjectQuery } from "@/components/report/subject-query";
import { VisitList } from "@/components/report/visit-list";
import { addressHref } from "@/components/shell/pages";
import { SearchBox } from "@/components/report/search-box";
import { PageLinks } from "@/components/ui/page-links";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState } from "@/components/ui/states";
import { readAddress } from "@/lib/visits/devices";
import type { Context } from "@/lib/platform/context";

export const metadata = pageMetadata("address");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

type Found = Awaited<ReturnType<typeof readAddress>>;

/** Summary of an address or range. */
function leadOf({ deviceCount, addressCount, isSingle, isTruncated }: Found): string {
  const least = isTruncated ? "at least " : "";
  const devices = `${least}${counted(deviceCount, "device")}`;
  return isSingle
    ? `${devices} seen here`
    : `${devices} at ${least}${counted(addressCount, "address", "addresses")} of this range`;
}

async function readAll(
  context: Context,
  key: { workspaceId: string; address: string },
  query: SubjectQuery,
  zone: string,
) {
  const found = await readAddress(context, { ...key, before: query.devices });
  if (found.devices.length === 0) return { found, more: undefined };
  return { found, more: await readSubject(context, { ...key, kind: "address" }, query.visits, zone) };
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
          <AddressesRestricted />
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
  return (
    <>
      <PageHeader
        title={<span className="font-mono break-all">{found.range}</span>}
        above={above}
        lead={leadOf(found)}
        actions={
          <>
            <ZoneSwitch zone={zone} />
            <SubjectActions workspaceId={workspaceId} kind="address" value={found.range} hasLinks={found.isSingle} />
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
