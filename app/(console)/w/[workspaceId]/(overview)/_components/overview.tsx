import { Link } from "@/components/ui/link";

import { ReportTable, type ReportRow } from "@/components/report/report-table";
import { RiskBadge } from "@/components/report/risk-badge";
import { StatusChart } from "@/components/report/status-chart";
import { Figure } from "@/components/ui/figure";
import { PageHeader, Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import { UnitsNotice } from "@/components/report/units-panel";
import type { LinkControl } from "@/lib/visits/devices";
import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";

type Counts = Record<ReportStatus, number>;
type Series = { steps: ({ from: Date } & Counts)[]; total: Counts };

const grouped = new Intl.NumberFormat("en-US");
const all = (total: Counts) => REPORT_STATUSES.reduce((sum, status) => sum + total[status], 0);

const shareText = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 2 : 0)} %`;

/** Where links are made: a summary, and a table by kind of place. */
function LinkControlDetails({ returned, links, wrong, places }: Props["control"]) {
  const open = places.filter(({ isOpen }) => isOpen).length;
  const learnt =
    returned === 0
      ? "No token that was new here has come back so far."
      : `${grouped.format(returned)} new tokens came back in 120 days, and ${grouped.format(wrong)} of ${grouped.format(links)} links, made or held back, were disproved by them.`;
  return (
    <details className="border-t text-fg-muted">
      <summary className="px-4 py-2">
        {open === 0
          ? `No links are made yet. ${learnt}`
          : `Links are made in ${open} of ${places.length} kinds of places. ${learnt}`}
      </summary>
      {places.length === 0 ? (
        <p className="px-4 pb-3">
          Links begin once some two hundred new tokens have come back: until then every visit without its token is a new
          device.
        </p>
      ) : (
        <div className="text-fg">
          <Table
            label="Where visits without a token are linked"
            columns={[
              "Devices",
              "Network",
              "Model",
              "Machine known for",
              "Links",
              "Disproved",
              "New devices linked wrongly, at most",
              "State",
            ]}
          >
            {places.map(({ system, network, model, known, ...place }) => (
              <tr key={`${system} ${network} ${model} ${known}`}>
                <Td>{system === "desktop" ? "Desktops" : "Phones and tablets"}</Td>
                <Td>{network}</Td>
                <Td>{model}</Td>
                <Td>{known}</Td>
                <Td>{grouped.format(place.links)}</Td>
                <Td>{grouped.format(place.wrong)}</Td>
                <Td>{shareText(place.bound)}</Td>
                <Td>{place.isOpen ? "Linking" : "Held back"}</Td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </details>
  );
}

/** How often visits would have been recognised without their token, and where such links are made. */
function IdentityCheck({ shadow: { agreed, missed, wrong }, control }: Pick<Props, "shadow" | "control">) {
  const measured = agreed + missed + wrong;
  const share = (count: number) => `${((count / measured) * 100).toFixed(1)} %`;
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
      {measured === 0 ? null : (
        <div className="grid border-b sm:grid-cols-3">
          <Figure name="Agree" value={share(agreed)}>{`${grouped.format(agreed)} visits, the same device`}</Figure>
          <Figure name="New" value={share(missed)}>{`${grouped.format(missed)} visits, taken for a new device`}</Figure>
          <Figure
            name="Wrong"
            value={share(wrong)}
          >{`${grouped.format(wrong)} visits, taken for another device`}</Figure>
        </div>
      )}
      <p className="px-4 py-2 text-fg-muted">
        {measured === 0
          ? "No visit with a known token has been measured yet."
          : `${grouped.format(measured)} visits with a known token, measured in 30 days as if they had none.`}
      </p>
      <LinkControlDetails {...control} />
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
  /** Result of matching by evidence alone on visits with a valid token, in 30 days. */
  shadow: { agreed: number; missed: number; wrong: number };
  control: LinkControl;
  recent: { items: readonly ReportRow[]; addressesVisible: boolean };
};

export function Overview({ workspaceId, now, day, week, units, firstDeliveredAt, shadow, control, recent }: Props) {
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
      <IdentityCheck shadow={shadow} control={control} />
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
