import { cn } from "@/components/ui/class-names";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import type { Report } from "@/lib/contract/report";
import { RiskBadge } from "./risk-badge";
import { verdictText } from "./verdict-text";
import { foreign } from "@/components/ui/foreign";

type View = { report: Report; rulesVersion: string; webApp: { name: string }; surface: string; origin: string };

/** Title of a visit. */
export const visitTitle = ({ surface, webApp }: Pick<View, "surface" | "webApp">): string =>
  surface === "default"
    ? `Visit on ${foreign(webApp.name)}`
    : `${surface.charAt(0).toUpperCase()}${surface.slice(1)} on ${foreign(webApp.name)}`;

/** Summary of the verdict. `isNarrow`: a single column. */
export function VerdictPanel({ view, zone, isNarrow = false }: { view: View; zone: string; isNarrow?: boolean }) {
  const { report } = view;
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <RiskBadge status={report.risk.status} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold">{verdictText(report.risk.findings)}</p>
          <p className="text-fg-muted">
            {counted(report.risk.findings.length, "finding")} · rules {view.rulesVersion} ·{" "}
            <AbsoluteTime at={report.created_at} zone={zone} />
          </p>
        </div>
      </div>
      <dl className={cn("min-w-0 wrap-anywhere text-fg-muted", isNarrow ? "flex flex-wrap gap-x-4" : "sm:text-right")}>
        <div>
          <dt className="inline">Web App</dt> <dd className="inline text-fg">{foreign(view.webApp.name)}</dd>
        </div>
        <div>
          <dt className="inline">surface</dt> <dd className="inline font-mono text-xs text-fg">{view.surface}</dd>
        </div>
        <div>
          <dt className="inline">page</dt> <dd className="inline font-mono text-xs break-all text-fg">{view.origin}</dd>
        </div>
      </dl>
    </Panel>
  );
}
