import { MeasuredShare } from "@/components/report/measured";
import { REASON_COPY } from "@/components/report/reason-copy";
import { RuleLink } from "@/components/report/rule-link";
import { NumberTh } from "@/components/ui/cells";
import { Chip } from "@/components/ui/chip";
import { countText } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import type { RuleRow } from "@/lib/visits/rules";

/** Rules with how often they fired and their measurements from labels. */
export function RuleTable({ workspaceId, rules }: { workspaceId: string; rules: readonly RuleRow[] }) {
  return (
    <Table
      label="Rules"
      columns={[
        "Rule",
        <NumberTh>Visits</NumberTh>,
        <NumberTh>Precision</NumberTh>,
        <NumberTh>False accusations</NumberTh>,
        "Mode",
      ]}
    >
      {rules.map((rule) => (
        <tr key={rule.id} className="hover:bg-surface-2 focus-within:bg-surface-2">
          <Td className="whitespace-normal py-1.5">
            <RuleLink workspaceId={workspaceId} ruleId={rule.id} isRow />
            <span className="block text-xs text-fg-muted">{REASON_COPY[rule.reason].title}</span>
          </Td>
          <Td className="text-right">
            {countText(rule.visits)}
            {rule.observedVisits > 0 && rule.observedVisits < rule.visits ? (
              <span className="block text-xs text-fg-muted">{countText(rule.observedVisits)} observed</span>
            ) : null}
          </Td>
          <Td className="text-right">
            <MeasuredShare value={rule.precision} />
          </Td>
          <Td className="text-right">
            <MeasuredShare value={rule.falseAccusations} />
          </Td>
          <Td>{rule.observedBy.length > 0 ? <Chip>observe</Chip> : <Chip isActive>enforce</Chip>}</Td>
        </tr>
      ))}
    </Table>
  );
}

/** Rules that did not fire, by name only. */
export function QuietRules({ workspaceId, rules }: { workspaceId: string; rules: readonly RuleRow[] }) {
  return (
    <Panel id="quiet" title="Rules that did not fire" aside={`${rules.length} rules`}>
      <ul className="grid gap-x-6 px-4 py-2 sm:grid-cols-2 nav:grid-cols-3">
        {rules.map((rule) => (
          <li key={rule.id} className="flex min-h-8 items-center justify-between gap-2">
            <RuleLink workspaceId={workspaceId} ruleId={rule.id} />
            {rule.observedBy.length > 0 ? <Chip>observe</Chip> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
