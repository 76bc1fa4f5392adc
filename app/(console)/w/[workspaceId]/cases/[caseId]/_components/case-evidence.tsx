import { RiskBadge } from "@/components/report/risk-badge";
import { SubjectId, SubjectTd } from "@/components/report/subject-id";
import { NumberTh, TimeTd } from "@/components/ui/cells";
import { countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { Table, Td } from "@/components/ui/table";
import type { summariseCase, Touched } from "@/lib/visits/investigation";

export type Summary = Awaited<ReturnType<typeof summariseCase>>;
type Props = { workspaceId: string; summary: Summary; now: Date; zone: string };

const SHOWN = 25;
/** A count over only the newest visits is a lower bound. */
const amount = (count: number, { isCut }: Summary) => `${isCut ? "≥ " : ""}${countText(count)}`;
const part = (shown: number, all: number) =>
  shown < all ? `${shown} of ${countText(all)}; the export has all` : undefined;

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
      <SubjectTd workspaceId={workspaceId} kind="account" value={account.value} copy="hover" />
      <Td className="text-right">{account.visits}</Td>
      <Td className="text-right">{account.deceptive}</Td>
      <Td className="text-right">{account.devices.length}</Td>
      <TimeTd at={account.firstSeenAt} now={now} zone={zone} />
      <TimeTd at={account.lastSeenAt} now={now} zone={zone} />
    </tr>
  );
}

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
        columns={[
          "Account",
          <NumberTh>Visits</NumberTh>,
          <NumberTh>Deceptive</NumberTh>,
          <NumberTh>Devices</NumberTh>,
          "First seen",
          "Last seen",
        ]}
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
            <TimeTd at={visit.recordedAt} now={now} zone={zone} />
            <Td>
              <RiskBadge status={visit.status} />
            </Td>
            <SubjectTd workspaceId={workspaceId} kind="visit" value={visit.imprint} />
            <SubjectTd workspaceId={workspaceId} kind="device" value={visit.deviceId} />
            <Td>
              {visit.accountId === undefined ? (
                <span className="text-fg-muted">–</span>
              ) : (
                <SubjectId workspaceId={workspaceId} kind="account" value={visit.accountId} />
              )}
            </Td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
