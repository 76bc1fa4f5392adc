import { Panel } from "@/components/ui/panel";
import type { FindingView } from "./group-findings";
import { RuleLink } from "./rule-link";

/** Findings of rules in observe mode. */
export function Observed({ workspaceId, observed }: { workspaceId: string; observed: readonly FindingView[] }) {
  if (observed.length === 0) return null;
  return (
    <Panel id="observed" title="Observed only" aside="not in the Report: these rules are switched to observe">
      <ul>
        {observed.map((finding, index) => (
          <li key={index} className="border-b px-4 py-2.5 last:border-b-0">
            <RuleLink workspaceId={workspaceId} ruleId={finding.ruleId} />
            <p className="text-fg-muted">{finding.text}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
