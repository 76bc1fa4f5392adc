import { pageHref } from "@/components/shell/pages";
import { Id } from "@/components/ui/id";
import { Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import type { AccountMap } from "@/lib/contract/report";

/** The account of a visit; `none`: the Report was read without one; `restricted`: the plan has no Account Map. */
export type VisitAccountView = { accountId: string; map: AccountMap } | "none" | "restricted";

function figuresOf(map: AccountMap) {
  return [
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
}

export function AccountMapFacts({ workspaceId, account }: { workspaceId: string; account: VisitAccountView }) {
  if (account === "restricted")
    return (
      <Panel id="accounts" title="Account map">
        <RestrictedState title="Account Map is not part of this plan">
          Pro and Enterprise workspaces see which accounts share a device, and which devices an account.
        </RestrictedState>
      </Panel>
    );
  if (account === "none")
    return (
      <Panel id="accounts" title="Account map">
        <p className="px-4 py-3 text-fg-muted">
          Your server read this Report without an account reference, so the visit belongs to no account.
        </p>
      </Panel>
    );
  const href = pageHref("account", { workspaceId, accountId: account.accountId });
  return (
    <Panel id="accounts" title="Account map" aside={<Id value={account.accountId} href={href} copy="always" />}>
      <dl className="grid sm:grid-cols-3">
        {figuresOf(account.map).map(({ name, value, note }) => (
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
