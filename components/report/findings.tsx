import { cn } from "@/components/ui/class-names";
import { Panel } from "@/components/ui/panel";
import { type FindingGroup, type FindingView, groupFindings } from "./group-findings";
import { REASON_COPY } from "./reason-copy";
import { RiskIcon } from "./risk-badge";
import { RuleLink } from "./rule-link";

const ODD = { PASS: "", SUSPICIOUS: "text-susp", DECEPTIVE: "text-dec" } as const;

function Compared({ finding }: { finding: FindingView }) {
  return (
    <dl className="my-2 rounded-md border">
      {finding.evidence.map(({ label, value, isOdd }, index) => (
        <div key={index} className="flex flex-wrap gap-x-3 border-b px-2.5 py-1 last:border-b-0">
          <dt className="w-34 shrink-0 text-xs leading-5 text-fg-muted max-sm:w-full">{label}</dt>
          <dd
            className={cn(
              "min-w-0 flex-1 basis-40 font-mono text-xs leading-5 wrap-anywhere",
              isOdd && ODD[finding.status],
            )}
          >
            {value}
            {isOdd ? <span className="sr-only"> (contradicts)</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Group({ workspaceId, group }: { workspaceId: string | undefined; group: FindingGroup }) {
  const copy = REASON_COPY[group.reason];
  return (
    <li className="flex gap-3 border-b p-4 last:border-b-0">
      <span className="mt-0.5">
        <RiskIcon status={group.status} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 className="font-semibold">{copy.title}</h3>
          <span className="font-mono text-[0.6875rem] text-fg-muted">{group.reason}</span>
        </div>
        {group.findings.map((finding, index) => (
          <div key={finding.ruleId} className={cn(index > 0 && "mt-3")}>
            <p className="text-fg-muted">{finding.text || copy.meaning}</p>
            {finding.evidence.length > 0 ? <Compared finding={finding} /> : null}
            <p className="mt-1.5 text-fg-muted">
              Also seen with:{" "}
              {finding.harmlessCauses.length > 0 ? finding.harmlessCauses.join(" · ") : copy.harmlessCauses}
            </p>
            <p className="mt-0.5 text-xs text-fg-muted">
              Rule <RuleLink workspaceId={workspaceId} ruleId={finding.ruleId} />, after {finding.source}
            </p>
          </div>
        ))}
      </div>
    </li>
  );
}

type Props = { workspaceId?: string | undefined; findings: readonly FindingView[] };

/** The finding, the compared values and harmless causes. */
export function Findings({ workspaceId, findings }: Props) {
  const groups = groupFindings(findings);
  return (
    <Panel id="findings" title="Findings" aside="what was seen, and what else could explain it" className="h-full">
      {groups.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">No rule found anything that needs attention in this visit.</p>
      ) : (
        <ul>
          {groups.map((group) => (
            <Group key={group.reason} workspaceId={workspaceId} group={group} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
