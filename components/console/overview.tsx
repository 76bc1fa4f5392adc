import Link from "next/link";

import { ReportTable, type ReportRow } from "@/components/report/report-table";
import { RiskBadge } from "@/components/report/risk-badge";
import { StatusChart } from "@/components/report/status-chart";
import { Figure } from "@/components/ui/figure";
import { PageHeader, Panel } from "@/components/ui/panel";
import { UnitsNotice } from "@/components/usage/units-panel";
import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";

type Counts = Record<ReportStatus, number>;
type Series = { steps: ({ from: Date } & Counts)[]; total: Counts };

const grouped = new Intl.NumberFormat("en-US");
const all = (total: Counts) => REPORT_STATUSES.reduce((sum, status) => sum + total[status], 0);

/** How often visits would have been recognised had they come without their token. */
function IdentityCheck({ agreed, missed, wrong }: Props["shadow"]) {
  const measured = agreed + missed + wrong;
  const share = (count: number) => (measured === 0 ? "–" : `${((count / measured) * 100).toFixed(1)} %`);
  return (
    <Panel
      id="identity"
      title="Recognition without a token"
      aside={
        <Link className="link" href="/docs/identity#the-live-figure">
          What this measures
        </Link>
      }
      className="mb-4"
    >
      <div className="grid sm:grid-cols-3">
        <Figure name="Agree" value={share(agreed)}>{`${grouped.format(agreed)} visits, the same device`}</Figure>
        <Figure name="New" value={share(missed)}>{`${grouped.format(missed)} visits, taken for a new device`}</Figure>
        <Figure name="Wrong" value={share(wrong)}>{`${grouped.format(wrong)} visits, taken for another device`}</Figure>
      </div>
      <p className="border-t px-4 py-2 text-fg-muted">
        {measured === 0
          ? "No visit with a known token has been measured yet."
          : `${grouped.format(measured)} visits with a known token, measured in 30 days as if they had none.`}
      </p>
    </Panel>
  );
}

type Props = {
  workspaceId: string;
  now: Date;
  day: Series;
  week: Series;
  units: { used: number; limit: number | null };
  firstDeliveredAt: Date | null;
  /** What the evidence alone would have said on visits with a valid token, in 30 days. */
  shadow: { agreed: number; missed: number; wrong: number };
  recent: { items: readonly ReportRow[]; addressesVisible: boolean };
};

export function Overview({ workspaceId, now, day, week, units, firstDeliveredAt, shadow, recent }: Props) {
  const dayTotal = all(day.total);
  const attention = day.total.SUSPICIOUS + day.total.DECEPTIVE;
  const home = `/w/${workspaceId}`;
  return (
    <>
      <PageHeader title="Overview" lead="The last 24 hours, in UTC." />
      <UnitsNotice {...units} />
      {firstDeliveredAt ? null : (
        <p className="mb-4 rounded-md bg-susp-bg px-3 py-2 text-susp">
          Visits arrive, but no server has read a Report yet.{" "}
          <Link className="underline underline-offset-2" href="/docs/quickstart#3-read-the-report-on-your-server">
            How your server reads one
          </Link>
        </p>
      )}
      <StatusChart steps={day.steps} step="hour" span="last 24 hours" />
      <div className="mb-4 grid rounded-lg border bg-surface sm:grid-cols-2 nav:grid-cols-4">
        <Figure name="Reports in 24 hours" value={grouped.format(dayTotal)}>
          {grouped.format(all(week.total))} in 7 days
        </Figure>
        <Figure name="Need attention" value={grouped.format(attention)}>
          {dayTotal > 0 ? `${Math.round((attention / dayTotal) * 100)} % of the day` : "no visits today"}
        </Figure>
        <Figure name="Deceptive" value={grouped.format(day.total.DECEPTIVE)}>
          <Link className="link" href={`${home}/reports?risk=DECEPTIVE&span=24h`}>
            Show them
          </Link>
        </Figure>
        <Figure name="Report units this month" value={grouped.format(units.used)}>
          {units.limit === null ? "without a limit" : `of ${grouped.format(units.limit)}`}
        </Figure>
      </div>
      <IdentityCheck {...shadow} />
      <Panel
        id="recent"
        title="Last Reports"
        aside={
          <span className="flex flex-wrap gap-2">
            {REPORT_STATUSES.map((status) => (
              <Link
                key={status}
                href={`${home}/reports?risk=${status}`}
                aria-label={`All Reports with the verdict ${status}`}
              >
                <RiskBadge status={status} />
              </Link>
            ))}
          </span>
        }
      >
        <ReportTable
          workspaceId={workspaceId}
          rows={recent.items}
          now={now}
          addressesVisible={recent.addressesVisible}
        />
        <p className="border-t px-4 py-2">
          <Link className="link" href={`${home}/reports`}>
            All Reports
          </Link>
        </p>
      </Panel>
    </>
  );
}
