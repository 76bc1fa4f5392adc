import type { ReactNode } from "react";

import { Id } from "@/components/ui/id";
import { Facts, Panel } from "@/components/ui/panel";
import { Restricted } from "@/components/ui/states";
import { AbsoluteTime } from "@/components/ui/time";
import type { Report } from "@/lib/contract/report";
import { RiskBadge } from "./risk-badge";

const visits = (count: number) => `${count} visit${count === 1 ? "" : "s"}`;
const mono = (text: string) => <span className="font-mono text-xs break-all">{text}</span>;
const notKnown = <span className="text-fg-muted">not known</span>;

export function DeviceFacts({
  device,
  recognisedBy,
  href,
}: {
  device: Report["device"];
  recognisedBy: string;
  href: string;
}) {
  return (
    <Panel id="device" title="Device" aside={<Id value={device.id} href={href} copy="always" />}>
      <Facts
        rows={[
          {
            name: "Seen before",
            value: device.seen_before ? `yes, ${visits(device.access_count)}` : `no, ${visits(device.access_count)}`,
          },
          { name: "First seen", value: device.first_seen_at ? <AbsoluteTime at={device.first_seen_at} /> : notKnown },
          {
            name: "Previous visit",
            value: device.previous_seen_at ? <AbsoluteTime at={device.previous_seen_at} /> : "none, this is the first",
          },
          { name: "Recognised by", value: recognisedBy },
        ]}
      />
    </Panel>
  );
}

const CONSISTENCY = { MATCH: "match", MISMATCH: "mismatch", UNKNOWN: "not compared" } as const;
const CONNECTION = {
  residential: "residential",
  mobile: "mobile",
  corporate: "corporate",
  hosting: "hosting",
  proxy: "proxy",
  unknown: "type unknown",
} as const;

const joined = (parts: readonly (string | undefined)[], separator: string) => parts.filter(Boolean).join(separator);

export function NetworkFacts({ network, addressesVisible }: { network: Report["network"]; addressesVisible: boolean }) {
  const { location, connection_type: type } = network;
  const seen = (value: ReactNode) => (addressesVisible ? value : <Restricted />);
  const place = joined([location?.city, location?.region, location?.country_name ?? network.country_code], ", ");
  const country = location?.country_name && network.country_code ? ` (${network.country_code})` : "";
  const carrier = joined([network.provider, network.asn === undefined ? undefined : `AS${network.asn}`], " · ");
  return (
    <Panel id="network" title="Network" aside={<RiskBadge status={network.status} />}>
      <Facts
        rows={[
          { name: "Observed address", value: seen(network.observed_ip ? mono(network.observed_ip) : notKnown) },
          {
            name: "Client address",
            value: (
              <>
                {seen(network.alternate_ip ? mono(network.alternate_ip) : notKnown)}{" "}
                <span className="text-fg-muted">· {CONSISTENCY[network.ip_consistency]}</span>
              </>
            ),
          },
          { name: "Place", value: seen(place ? `${place}${country}` : notKnown) },
          { name: "Time zone", value: seen(location?.timezone ?? notKnown) },
          { name: "Provider", value: seen(carrier || notKnown) },
          { name: "Connection", value: type ? CONNECTION[type] : notKnown },
          {
            name: "Proxy",
            value:
              network.proxy_detected === undefined ? notKnown : network.proxy_detected ? "detected" : "none detected",
          },
        ]}
      />
    </Panel>
  );
}

const identity = ({ name, version }: Report["browser"]) => joined([name, version], " ") || "not known";

export function ClientFacts({ browser, system }: { browser: Report["browser"]; system: Report["operating_system"] }) {
  return (
    <Panel id="client" title="Browser and system">
      <Facts
        rows={[
          { name: "Browser", value: identity(browser), aside: <RiskBadge status={browser.status} /> },
          { name: "System", value: identity(system), aside: <RiskBadge status={system.status} /> },
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

const amount = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

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
                  {amount(window.distinct_ips, "address", "addresses")} ·{" "}
                  {amount(window.distinct_countries, "country", "countries")}
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

export function AccountMapFacts({ map }: { map: NonNullable<Report["account_map"]> }) {
  const figures = [
    {
      name: "Accounts on device",
      value: String(map.accounts_on_device),
      note: `${map.accounts_first_seen_on_device_1h} new in the last hour`,
    },
    {
      name: "Devices of account",
      value: String(map.devices_on_account),
      note: map.account_seen_before ? "account seen before" : "account new here",
    },
    {
      name: "Together before",
      value: map.relationship_seen_before ? "yes" : "no",
      note: map.relationship_seen_before ? "seen together" : "first time",
    },
  ];
  return (
    <Panel id="accounts" title="Account map">
      <dl className="grid sm:grid-cols-3">
        {figures.map(({ name, value, note }) => (
          <div key={name} className="border-b px-4 py-3 last:border-b-0 sm:border-b-0 sm:border-l sm:first:border-l-0">
            <dt className="text-fg-muted">{name}</dt>
            <dd className="text-figure font-semibold">{value}</dd>
            <dd className="text-fg-muted">{note}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
