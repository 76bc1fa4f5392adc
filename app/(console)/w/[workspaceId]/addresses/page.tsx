import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { addressHref } from "@/components/report/address-link";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { CountryList } from "@/components/report/country-panel";
import { DeviceTable } from "@/components/report/device-table";
import { narrowedHref } from "@/components/report/report-query";
import { SearchBox } from "@/components/report/search-box";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState, RestrictedState } from "@/components/ui/states";
import { readAddress } from "@/lib/visits/devices";
import { isAppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";

export const metadata = pageMetadata("address");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<{ of?: string }> };

const grouped = new Intl.NumberFormat("en-US");
const amount = (count: number, one: string, isLeast: boolean) =>
  `${isLeast ? "at least " : ""}${grouped.format(count)} ${one}${count === 1 ? "" : one.endsWith("s") ? "es" : "s"}`;

type Found = Awaited<ReturnType<typeof readAddress>>;

/** Summary of an address or range. */
function leadOf({ deviceCount, addressCount, isSingle, isBounded }: Found): string {
  const devices = amount(deviceCount, "device", isBounded);
  return isSingle
    ? `${devices} seen here`
    : `${devices} at ${amount(addressCount, "address", isBounded)} of this range`;
}

export default async function AddressPage({ params, searchParams }: Props) {
  const [{ workspaceId }, { of = "" }] = [await params, await searchParams];
  const zone = await pageZone();
  const read = async (context: Context) => {
    try {
      return await readAddress(context, { workspaceId, address: of });
    } catch (error) {
      if (isAppError(error) && error.code === "invalid_request") return undefined;
      throw error;
    }
  };
  const page = await openPage("address", { workspaceId }, read, addressHref(workspaceId, of));
  const above = <Breadcrumb workspaceId={workspaceId} list="devices" id="address" />;
  const search = <SearchBox workspaceId={workspaceId} className="mb-4" />;
  if (!page.ok)
    return (
      <>
        <PageHeader title="Address" above={above} />
        <RestrictedState title="Addresses and places are not part of your role">{page.restriction}.</RestrictedState>
      </>
    );
  const found = page.value;
  if (!found || found.devices.length === 0)
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
  const reports = narrowedHref(`/w/${workspaceId}/reports`, { address: found.range });
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
          </>
        }
      />
      {search}
      <div className="grid items-start gap-4 nav:grid-cols-[minmax(0,2.4fr)_minmax(0,1fr)]">
        <Panel
          id="devices"
          title="Devices"
          aside={found.devices.length < found.deviceCount ? `the ${found.devices.length} seen last` : "latest first"}
        >
          <DeviceTable
            workspaceId={workspaceId}
            devices={found.devices}
            now={page.context.now}
            zone={zone}
            label="Devices at this address"
          />
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
