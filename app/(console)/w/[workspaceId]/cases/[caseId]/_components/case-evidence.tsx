import { RiskBadge } from "@/components/report/risk-badge";
import { pageHref } from "@/components/shell/pages";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Id } from "@/components/ui/id";
import { Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { Table, Td, Th } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { summariseCase, Touched } from "@/lib/visits/investigation";

export type Summary = Awaited<ReturnType<typeof summariseCase>>;
type Props = { workspaceId: string; summary: Summary; now: Date; zone: string };

const SHOWN = 25;
const grouped = new Intl.NumberFormat("en-US");
/** A count over only the newest visits is a lower bound. */
const amount = (count: number, { isCut }: Summary) => `${isCut ? "≥ " : ""}${grouped.format(count)}`;
const part = (shown: number, all: number) =>
  shown < all ? `${shown} of ${grouped.format(all)}; the export has all` : undefined;

export function CaseFigures({ summary }: { summary: Summary }) {
  const deceptive = summary.visits.filter(({ status }) => status === "DECEPTIVE").length;
  return (
    <Panel>
      <FigureGrid className="grid-cols-2 nav:grid-cols-4">
        <Figure name="Visits" value={amount(summary.visits.length, summary)}>
          {amount(deceptive, summary)} deceptive
        </Figure>
        <Figure name="Accounts touched" value={summary.accounts ? amount(summary.accounts.length, summary) : "–"} />
        <Figure name="Devices" value={amount(summary.devices.length, summary)} />
        <Figure name="Addresses" value={summary.addresses ? amount(summary.addresses.length, summary) : "–"} />
      </FigureGrid>
    </Panel>
  );
}

function AccountRow({ workspaceId, account, now, zone }: Omit<Props, "summary"> & { account: Touched }) {
  return (
    <tr>
      <Td>
        <Id value={account.value} href={pageHref("account", { workspaceId, accountId: account.value })} copy="hover" />
      </Td>
      <Td className="text-right">{account.visits}</Td>
      <Td className="text-right">{account.deceptive}</Td>
      <Td className="text-right">{account.devices.length}</Td>
      <Td>
        <RelativeTime at={account.firstSeenAt} now={now} zone={zone} />
      </Td>
      <Td>
        <RelativeTime at={account.lastSeenAt} now={now} zone={zone} />
      </Td>
    </tr>
  );
}

const right = (text: string) => <Th className="text-right">{text}</Th>;

/** All accounts touched by the items of a case. */
export function CaseAccounts({ workspaceId, summary, now, zone }: Props) {
  const { accounts } = summary;
  if (accounts === undefined)
    return (
      <Panel id="accounts" title="Accounts touched">
        <RestrictedState title="Account Map is not part of this plan">
          Pro and Enterprise workspaces see the accounts of each visit.
        </RestrictedState>
      </Panel>
    );
  if (accounts.length === 0) return null;
  const newest = accounts.toSorted((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime());
  const shown = newest.slice(0, SHOWN);
  return (
    <Panel id="accounts" title="Accounts touched" aside={part(shown.length, accounts.length)}>
      <Table
        label="Accounts touched"
        room="few-columns"
        columns={["Account", right("Visits"), right("Deceptive"), right("Devices"), "First seen", "Last seen"]}
      >
        {shown.map((account) => (
          <AccountRow key={account.value} workspaceId={workspaceId} account={account} now={now} zone={zone} />
        ))}
      </Table>
    </Panel>
  );
}

/** The newest visits of the items of a case. */
export function CaseVisits({ workspaceId, summary, now, zone }: Props) {
  if (summary.visits.length === 0) return null;
  const shown = summary.visits.slice(-SHOWN).toReversed();
  return (
    <Panel id="visits" title="Visits, newest first" aside={part(shown.length, summary.visits.length)}>
      <Table
        label="Visits of this case"
        room="several-columns"
        columns={["Time", "Risk", "Imprint", "Device", "Account"]}
      >
        {shown.map((visit) => (
          <tr key={visit.imprint}>
            <Td>
              <RelativeTime at={visit.recordedAt} now={now} zone={zone} />
            </Td>
            <Td>
              <RiskBadge status={visit.status} />
            </Td>
            <Td>
              <Id value={visit.imprint} href={pageHref("report", { workspaceId, imprint: visit.imprint })} />
            </Td>
            <Td>
              <Id value={visit.deviceId} href={pageHref("device", { workspaceId, deviceId: visit.deviceId })} />
            </Td>
            <Td>
              {visit.accountId === undefined ? (
                <span className="text-fg-muted">–</span>
              ) : (
                <Id value={visit.accountId} href={pageHref("account", { workspaceId, accountId: visit.accountId })} />
              )}
            </Td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
