import { AddressesRestricted } from "@/components/report/addresses-restricted";
import { SubjectTd } from "@/components/report/subject-id";
import { NumberTh, TimeTd } from "@/components/ui/cells";
import { PageLinks } from "@/components/ui/page-links";
import { Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { Table, Td } from "@/components/ui/table";
import { AddressLink } from "@/components/report/address-link";
import { CountryList } from "@/components/report/country-panel";
import { countryName } from "@/components/report/country-name";

type Account = { accountId: string; firstSeenAt: Date; firstImprint: string; devices: number };
type Common = {
  workspaceId: string;
  now: Date;
  zone: string;
  pages: { newest: string | undefined; older: string | undefined };
};

/** The accounts used on a device; undefined if the plan has no Account Map. */
export function DeviceAccounts({
  workspaceId,
  now,
  zone,
  pages,
  accounts,
}: Common & { accounts: readonly Account[] | undefined }) {
  return (
    <Panel id="accounts" title="Accounts" aside={accounts ? "newest first" : undefined}>
      {accounts === undefined ? (
        <RestrictedState title="Account Map is not part of this plan">
          Pro and Enterprise workspaces see the accounts of each device.
        </RestrictedState>
      ) : accounts.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">No Report of this device was read with an account reference.</p>
      ) : (
        <Table
          label="Accounts of this device"
          room="few-columns"
          columns={["Account", "First together", "First Report", <NumberTh>Devices of account</NumberTh>]}
        >
          {accounts.map((account) => (
            <tr key={account.accountId}>
              <SubjectTd workspaceId={workspaceId} kind="account" value={account.accountId} />
              <TimeTd at={account.firstSeenAt} now={now} zone={zone} />
              <SubjectTd workspaceId={workspaceId} kind="visit" value={account.firstImprint} />
              <Td className="text-right">{account.devices}</Td>
            </tr>
          ))}
        </Table>
      )}
      <PageLinks {...pages} />
    </Panel>
  );
}

type Address = { address: string; countryCode: string | null; firstSeenAt: Date; lastSeenAt: Date; devices: number };

function countByCountry(addresses: readonly Address[]) {
  const counts = new Map<string, number>();
  for (const { countryCode } of addresses)
    if (countryCode !== null) counts.set(countryCode, (counts.get(countryCode) ?? 0) + 1);
  return [...counts].map(([countryCode, count]) => ({ countryCode, count })).sort((a, b) => b.count - a.count);
}

/** Addresses of a device; undefined for members who may not see addresses and places. */
export function DeviceAddresses({
  workspaceId,
  now,
  zone,
  pages,
  addresses,
}: Common & { addresses: readonly Address[] | undefined }) {
  if (addresses === undefined)
    return (
      <Panel id="addresses" title="Addresses and countries">
        <AddressesRestricted />
      </Panel>
    );
  return (
    <Panel id="addresses" title="Addresses and countries" aside="latest first">
      <CountryList countries={countByCountry(addresses)} what="addresses" />
      {addresses.length === 0 ? null : (
        <div className="border-t">
          <Table
            label="Addresses of this device"
            room="few-columns"
            columns={["Address", "Country", "Last seen", "First seen", <NumberTh>Devices there</NumberTh>]}
          >
            {addresses.map(({ address, countryCode, firstSeenAt, lastSeenAt, devices }) => (
              <tr key={`${address} ${countryCode ?? ""}`}>
                <Td>
                  <AddressLink workspaceId={workspaceId} address={address} />
                </Td>
                <Td>{countryCode === null ? "–" : countryName(countryCode)}</Td>
                <TimeTd at={lastSeenAt} now={now} zone={zone} />
                <TimeTd at={firstSeenAt} now={now} zone={zone} />
                <Td className="text-right">{devices}</Td>
              </tr>
            ))}
          </Table>
          <PageLinks {...pages} />
        </div>
      )}
    </Panel>
  );
}
