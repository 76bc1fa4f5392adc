import { networkHref } from "@/components/shell/pages";
import { counted } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { Id } from "@/components/ui/id";
import { Facts, Panel } from "@/components/ui/panel";
import { Restricted } from "@/components/ui/states";
import { AbsoluteTime } from "@/components/ui/time";
import type { Report } from "@/lib/contract/report";
import { AddressLink } from "./address-link";
import { CONNECTION_TEXT } from "./connection-text";

import { RiskBadge } from "./risk-badge";
import { pointOf, WorldMap } from "./world-map";

const notKnown = <span className="text-fg-muted">not known</span>;

export function DeviceFacts({
  device,
  recognisedBy,
  href,
  zone,
}: {
  device: Report["device"];
  recognisedBy: string;
  href: string;
  zone: string;
}) {
  return (
    <Panel id="device" title="Device" aside={<Id value={device.id} href={href} copy="always" />}>
      <Facts
        rows={[
          {
            name: "Seen before",
            value: `${device.seen_before ? "yes" : "no"}, ${counted(device.access_count, "visit")}`,
          },
          {
            name: "First seen",
            value: device.first_seen_at ? <AbsoluteTime at={device.first_seen_at} zone={zone} /> : notKnown,
          },
          {
            name: "Previous visit",
            value: device.previous_seen_at ? (
              <AbsoluteTime at={device.previous_seen_at} zone={zone} />
            ) : (
              "none, this is the first"
            ),
          },
          { name: "Recognised by", value: recognisedBy },
        ]}
      />
    </Panel>
  );
}

const CONSISTENCY = { MATCH: "match", MISMATCH: "mismatch", UNKNOWN: "not compared" } as const;
const joined = (parts: readonly (string | undefined)[], separator: string) => parts.filter(Boolean).join(separator);

/** The location of the address on the map, with a legend. */
function NetworkMap({ network }: { network: Report["network"] }) {
  const mark = { countryCode: network.country_code, timeZone: network.location?.timezone, count: 1 };
  if (pointOf(mark) === undefined) return null;
  const where = network.location?.country_name ?? network.country_code ?? "";
  return (
    <div className="border-t px-4 py-3">
      <WorldMap label={`Map: the address lies in ${where}`} marks={[mark]} />
      <p className="mt-1 text-xs text-fg-muted">
        {network.location?.timezone
          ? `The dot is the main city of ${network.location.timezone}, not the visitor.`
          : "The dot is the middle of the country, not the visitor."}
      </p>
    </div>
  );
}

/** Network operator; its number links to its page. */
function Carrier({ workspaceId, network: { provider, asn } }: Pick<NetworkProps, "workspaceId" | "network">) {
  if (asn === undefined) return provider ?? notKnown;
  return (
    <>
      {provider === undefined ? "" : `${provider} · `}
      <Link className="link" href={networkHref(workspaceId, String(asn))} aria-label={`Network AS${asn}`}>
        AS{asn}
      </Link>
    </>
  );
}

type NetworkProps = { workspaceId: string; network: Report["network"]; addressesVisible: boolean };

export function NetworkFacts({ workspaceId, network, addressesVisible }: NetworkProps) {
  const { location, connection_type: type } = network;
  const seen = (value: ReactNode) => (addressesVisible ? value : <Restricted />);
  const address = (text: string | undefined) =>
    text === undefined ? notKnown : <AddressLink workspaceId={workspaceId} address={text} />;
  // A city state is its own region and country: drop repeated names.
  const places = new Set([location?.city, location?.region, location?.country_name ?? network.country_code]);
  const place = joined([...places], ", ");
  const country = location?.country_name && network.country_code ? ` (${network.country_code})` : "";
  return (
    <Panel id="network" title="Network" aside={<RiskBadge status={network.status} />}>
      <Facts
        rows={[
          { name: "Observed address", value: seen(address(network.observed_ip)) },
          {
            name: "Client address",
            value: (
              <>
                {seen(address(network.alternate_ip))}{" "}
                <span className="text-fg-muted">· {CONSISTENCY[network.ip_consistency]}</span>
              </>
            ),
          },
          { name: "Place", value: seen(place ? `${place}${country}` : notKnown) },
          { name: "Time zone", value: seen(location?.timezone ?? notKnown) },
          { name: "Provider", value: seen(<Carrier workspaceId={workspaceId} network={network} />) },
          { name: "Connection", value: type ? CONNECTION_TEXT[type] : notKnown },
          {
            name: "Proxy",
            value:
              network.proxy_detected === undefined ? notKnown : network.proxy_detected ? "detected" : "none detected",
          },
        ]}
      />
      {addressesVisible ? <NetworkMap network={network} /> : null}
    </Panel>
  );
}

const identity = ({ name, version }: Report["browser"]) => joined([name, version], " ") || "not known";

type ClientProps = {
  browser: Report["browser"];
  system: Report["operating_system"];
  /** Name of the automated agent that signed the visit's request. */
  agent: string | undefined;
};

export function ClientFacts({ browser, system, agent }: ClientProps) {
  return (
    <Panel id="client" title="Browser and system">
      <Facts
        rows={[
          { name: "Browser", value: identity(browser), aside: <RiskBadge status={browser.status} /> },
          { name: "System", value: identity(system), aside: <RiskBadge status={system.status} /> },
          ...(agent === undefined ? [] : [{ name: "Agent", value: agent, aside: "signature verified" }]),
        ]}
      />
    </Panel>
  );
}

const WINDOWS = [
  ["5m", "5 minutes"],
  ["1h", "1 hour"],
  ["24h", "24 hours"],
] as const;

export function ActivityFacts({ activity }: { activity: Report["activity"] }) {
  return (
    <Panel id="activity" title="Activity of this device" aside="this visit included">
      {activity ? (
        <dl className="grid sm:grid-cols-3">
          {WINDOWS.map(([key, label]) => {
            const window = activity[key];
            return (
              <div
                key={key}
                className="border-b px-4 py-3 last:border-b-0 sm:border-b-0 sm:border-l sm:first:border-l-0"
              >
                <dt className="text-fg-muted">{label}</dt>
                <dd className="text-figure font-semibold">{window.events}</dd>
                <dd className="text-fg-muted">
                  {counted(window.distinct_ips, "address", "addresses")} ·{" "}
                  {counted(window.distinct_countries, "country", "countries")}
                </dd>
              </div>
            );
          })}
        </dl>
      ) : (
        <p className="px-4 py-3 text-fg-muted">Not available for this visit.</p>
      )}
    </Panel>
  );
}
