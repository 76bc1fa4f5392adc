import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageZone } from "@/app/_server/zone";
import { RiskBadge } from "@/components/report/risk-badge";
import { SubjectId } from "@/components/report/subject-id";
import { visitTitle } from "@/components/report/verdict-panel";
import { verdictText } from "@/components/report/verdict-text";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { Id } from "@/components/ui/id";
import { PageHeader, Panel } from "@/components/ui/panel";
import { NoMatchState } from "@/components/ui/states";
import { AbsoluteTime } from "@/components/ui/time";
import { ZoneSwitch } from "@/components/ui/zone-switch";
import { isAppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { compareVisits, type VisitComparison } from "@/lib/visits/investigation";
import { CompareForm } from "./_components/compare-form";
import { ChangedFacts, MachineParts, RuleOutcomes } from "./_components/fact-tables";

export const metadata = pageMetadata("compare");

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Promise<RawQuery> };

const textOf = (value: RawQuery[string]): string => (typeof value === "string" ? value.trim() : "");

/** The comparison, the reason why there is none, or undefined without input. */
async function readComparison(context: Context, workspaceId: string, a: string, b: string) {
  if (a === "" && b === "") return undefined;
  try {
    return await compareVisits(context, { workspaceId, a, b });
  } catch (error) {
    if (isAppError(error) && error.code === "invalid_request") return error.message;
    if (isAppError(error) && error.code === "report_not_found") return "No Report has one of these imprints";
    throw error;
  }
}

function Visit({ workspaceId, view, title, zone }: VisitProps) {
  const { report } = view;
  const href = pageHref("report", { workspaceId, imprint: report.imprint });
  return (
    <Panel title={title} aside={<Id value={report.imprint} href={href} copy="always" />}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <RiskBadge status={report.risk.status} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold">{verdictText(report.risk.findings)}</p>
          <p className="text-fg-muted">
            {visitTitle(view)} · <AbsoluteTime at={report.created_at} zone={zone} />
          </p>
          <p className="text-fg-muted">
            Device <SubjectId workspaceId={workspaceId} kind="device" value={report.device.id} /> · {view.recognisedBy}
          </p>
        </div>
      </div>
    </Panel>
  );
}

type VisitProps = { workspaceId: string; view: VisitComparison["visits"][number]; title: string; zone: string };

function Comparison({ workspaceId, found, zone }: { workspaceId: string; found: VisitComparison; zone: string }) {
  const [before, after] = found.visits;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 nav:grid-cols-2">
        <Visit workspaceId={workspaceId} view={before} title="Earlier visit" zone={zone} />
        <Visit workspaceId={workspaceId} view={after} title="Later visit" zone={zone} />
      </div>
      <RuleOutcomes findings={found.findings} />
      <MachineParts machine={found.machine} />
      <ChangedFacts changed={found.changed} same={found.same} />
      {found.addressesVisible ? null : (
        <p className="text-xs text-fg-muted">Addresses and places are not part of your role, and are not compared.</p>
      )}
    </div>
  );
}

export default async function ComparePage({ params, searchParams }: Props) {
  const [{ workspaceId }, query] = [await params, await searchParams];
  const [a, b] = [textOf(query["a"]), textOf(query["b"])];
  const [path, zone] = [pageHref("compare", { workspaceId }), await pageZone()];
  const address = a === "" && b === "" ? path : `${path}?${new URLSearchParams({ a, b }).toString()}`;
  const page = await openPage(
    "compare",
    { workspaceId },
    (context) => readComparison(context, workspaceId, a, b),
    address,
  );
  if (!page.ok) return page.restricted;
  const found = page.value;
  return (
    <>
      <PageHeader
        title="Compare visits"
        above={
          <Breadcrumb workspaceId={workspaceId} list="reports">
            Compare
          </Breadcrumb>
        }
        lead="What changed between two visits, what one machine cannot change, and which rules read it."
        actions={<ZoneSwitch zone={zone} />}
      />
      <CompareForm path={path} a={a} b={b} />
      {typeof found === "object" ? <Comparison workspaceId={workspaceId} found={found} zone={zone} /> : null}
      {typeof found === "string" ? (
        <Panel>
          <NoMatchState title="These two cannot be compared">{found}.</NoMatchState>
        </Panel>
      ) : null}
    </>
  );
}
