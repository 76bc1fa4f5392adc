import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { LABEL_WORDS } from "@/components/report/label-words";
import { basisText, intervalText, shareText } from "@/components/report/measured-text";
import { REASON_COPY } from "@/components/report/reason-copy";
import { RiskBadge } from "@/components/report/risk-badge";
import { SubjectId } from "@/components/report/subject-id";
import { lastSteps } from "@/components/report/time-steps";
import { pageHref } from "@/components/shell/pages";
import { countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import type { RawQuery } from "@/components/ui/filter-texts";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { type Measured, readRule } from "@/lib/visits/rules";
import { daysOf, readSpan, SpanLinks } from "../_components/rule-span";
import { switchRuleAction, switchRuleOfInstanceAction } from "../actions";
import { RuleBars } from "./_components/rule-bars";
import { RuleFacets, RulesTogether } from "./_components/rule-facets";
import { RuleSwitch } from "./_components/rule-switch";

export const metadata = pageMetadata("rule");

type Props = {
  params: Promise<{ workspaceId: string; ruleId: string }>;
  searchParams: Promise<RawQuery>;
};
type Rule = Awaited<ReturnType<typeof readRule>>;

const Share = ({ name, value }: { name: string; value: Measured | undefined }) => (
  <Figure name={name} value={value ? shareText(value) : "–"}>
    {value ? `${intervalText(value)}, from ${basisText(value)}` : "No labelled visit to measure it by"}
  </Figure>
);

function modeText({ observedBy }: Rule): string {
  if (observedBy.length === 0) return "What it finds is part of Reports";
  return observedBy.some(({ scope }) => scope === "instance")
    ? "Switched for the whole instance"
    : "Switched for this workspace";
}

function Explained({ rule }: { rule: Rule }) {
  const copy = REASON_COPY[rule.reason];
  const reasons = rule.otherReason === undefined ? rule.reason : `${rule.reason} or ${rule.otherReason}`;
  return (
    <Panel id="meaning" title="What it means" aside={<span className="font-mono text-xs">{reasons}</span>}>
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{rule.explanation ?? copy.meaning}</p>
        {rule.source === undefined ? null : <p className="text-fg-muted">After {rule.source}</p>}
        <h3 className="font-semibold">Harmless causes</h3>
        <ul className="list-disc pl-5 text-fg-muted">
          {(rule.harmlessCauses.length > 0 ? rule.harmlessCauses : [copy.harmlessCauses]).map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function Newest({ workspaceId, rule, now, zone }: { workspaceId: string; rule: Rule; now: Date; zone: string }) {
  return (
    <Panel id="newest" title="Newest visits">
      {rule.newest.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">It did not fire in this time.</p>
      ) : (
        <ul>
          {rule.newest.map((visit) => (
            <li
              key={visit.imprint}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b px-4 py-1 last:border-b-0 focus-within:bg-surface-2 hover:bg-surface-2"
            >
              <RelativeTime at={visit.recordedAt} now={now} zone={zone} className="w-24 shrink-0" />
              <span className="w-26 shrink-0">
                <RiskBadge status={visit.status} />
              </span>
              <SubjectId workspaceId={workspaceId} kind="visit" value={visit.imprint} isRowLink />
              {visit.isObserved ? <span className="text-fg-muted">observed</span> : null}
              {visit.label ? <span className="ml-auto">{LABEL_WORDS[visit.label]}</span> : null}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export default async function RulePage({ params, searchParams }: Props) {
  const { workspaceId, ruleId } = await params;
  const span = readSpan((await searchParams)["span"]);
  const zone = await pageZone();
  const path = pageHref("rule", { workspaceId, ruleId });
  const page = await openPage("rule", { workspaceId, ruleId }, (context) =>
    readRule(context, { workspaceId, ruleId, ...lastSteps(daysOf(span), "day", context.now, zone) }),
  );
  if (!page.ok) return page.restricted;
  const rule = page.value;
  const { now } = page.context;
  const seen = Math.min(rule.visits, rule.facetVisits);
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{rule.id}</span>}
        above={
          <Link className="link" href={pageHref("rules", { workspaceId })}>
            Rules
          </Link>
        }
        lead={REASON_COPY[rule.reason].title}
        actions={
          <>
            <SpanLinks path={path} span={span} />
            <ZoneSwitch zone={zone} />
            <RuleSwitch
              {...{ workspaceId, ruleId, observedBy: rule.observedBy }}
              maySwitch={rule.maySwitch}
              maySwitchInstance={rule.maySwitchInstance}
              ofWorkspace={switchRuleAction}
              ofInstance={switchRuleOfInstanceAction}
            />
          </>
        }
      />
      <Panel className="mb-4">
        <FigureGrid className="sm:grid-cols-2 nav:grid-cols-4">
          <Figure name="Visits" value={countText(rule.visits)}>
            last {daysOf(span)} days
          </Figure>
          <Share name="Precision" value={rule.precision} />
          <Share name="False accusations" value={rule.falseAccusations} />
          <Figure name="Mode" value={rule.observedBy.length > 0 ? "observe" : "enforce"}>
            {modeText(rule)}
          </Figure>
        </FigureGrid>
      </Panel>
      <Panel id="when" title="When it fires" className="mb-4">
        <RuleBars {...{ workspaceId, zone }} ruleId={rule.id} steps={rule.steps} span={`Last ${daysOf(span)} days`} />
      </Panel>
      <div className="grid items-start gap-4 nav:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Explained rule={rule} />
          {seen > 0 ? <RuleFacets facets={rule.facets} visits={seen} /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Newest workspaceId={workspaceId} rule={rule} now={now} zone={zone} />
          {seen > 0 ? <RulesTogether workspaceId={workspaceId} facets={rule.facets} visits={seen} /> : null}
        </div>
      </div>
    </>
  );
}
