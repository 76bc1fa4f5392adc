import { pageHref } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";

import { cn } from "@/components/ui/class-names";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import { dateText } from "@/components/ui/time-text";
import { shortId } from "@/components/ui/id";
import type { ReportStatus } from "@/lib/contract/report";
import { reportsHref } from "./range-query";
import { RiskBadge } from "./risk-badge";

type Visit = { imprint: string; recordedAt: Date; status: ReportStatus };

const LABELS = 4;
const DAY_MS = 86_400_000;
const DAYS = 90;

/** Each verdict has its own shape: colour is never the only cue. */
function Mark({ status }: { status: ReportStatus }) {
  if (status === "PASS") return <circle cx="7" cy="7" r="5" fill="var(--pass-mark)" className="mark" />;
  if (status === "SUSPICIOUS") return <path d="M7 0l7 13H0z" fill="var(--susp-mark)" className="mark" />;
  return <rect x="1" y="1" width="12" height="12" fill="var(--dec-mark)" className="mark" />;
}

type Props = { workspaceId: string; deviceId?: string; visits: readonly Visit[]; until: Date; zone: string };

/** Visits whose marks would overlap. */
type Cluster = { at: Date; visits: Visit[] };

/** Width of a mark as a share of the displayed period: closer visits share one mark. */
const MARK_SHARE = 0.015;

/** Distinct marks, oldest first: visits at almost the same time share one, which shows their number. */
export function clustersOf(visits: readonly Visit[], spanMs: number): Cluster[] {
  const clusters: Cluster[] = [];
  for (const visit of [...visits].sort((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime())) {
    const open = clusters.at(-1);
    if (open && visit.recordedAt.getTime() - open.at.getTime() < spanMs * MARK_SHARE) open.visits.push(visit);
    else clusters.push({ at: visit.recordedAt, visits: [visit] });
  }
  return clusters;
}

const WORST: readonly ReportStatus[] = ["DECEPTIVE", "SUSPICIOUS", "PASS"];
const worstOf = (visits: readonly Visit[]): ReportStatus =>
  WORST.find((status) => visits.some((visit) => visit.status === status)) ?? "PASS";

/** One visit links to its Report, several link to their list. */
function hrefOf(workspaceId: string, deviceId: string | undefined, { visits }: Cluster): string {
  const [first, last] = [visits[0], visits.at(-1)];
  if (!first || !last || visits.length === 1 || deviceId === undefined)
    return pageHref("report", { workspaceId, imprint: (last ?? first)?.imprint ?? "" });
  const minute = 60_000;
  const from = new Date(Math.floor(first.recordedAt.getTime() / minute) * minute);
  const to = new Date(Math.floor(last.recordedAt.getTime() / minute + 1) * minute);
  return reportsHref(workspaceId, { from, to }, { device: deviceId });
}

export function DeviceTimeline({ workspaceId, deviceId, visits, until, zone }: Props) {
  const clusters = clustersOf(visits, DAYS * DAY_MS);
  const from = until.getTime() - DAYS * DAY_MS;
  const leftOf = (at: Date) => `${((at.getTime() - from) / (DAYS * DAY_MS)) * 100}%`;
  const labels = Array.from({ length: LABELS }, (_, index) => new Date(from + (index / (LABELS - 1)) * DAYS * DAY_MS));
  return (
    <Panel id="timeline" title={`This device, ${DAYS} days`} aside="● pass  ▲ suspicious  ■ deceptive">
      <div className="px-8 pt-5 pb-1">
        <div
          role="group"
          aria-label={`${counted(visits.length, "visit")} of this device, listed in the table`}
          className="relative mt-2 h-4 border-0"
        >
          <div className="absolute inset-x-0 top-1/2 border-t-2" />
          {clusters.map((cluster) => {
            const { at, visits: near } = cluster;
            const text = `${counted(near.length, "visit")}, ${dateText(at, zone)}`;
            return (
              <Link
                key={near[0]?.imprint ?? at.getTime()}
                href={hrefOf(workspaceId, deviceId, cluster)}
                aria-label={text}
                title={text}
                className="absolute -top-1 flex size-6 -translate-x-1/2 items-center justify-center"
                style={{ left: leftOf(at) }}
              >
                <svg aria-hidden viewBox="0 0 14 14" className="size-3.5">
                  <Mark status={worstOf(near)} />
                </svg>
                {near.length > 1 ? (
                  <span className="absolute -top-3 text-[0.6875rem] leading-none">{near.length}</span>
                ) : null}
              </Link>
            );
          })}
        </div>
        <div aria-hidden className="relative mt-2.5 h-5 text-[0.6875rem] text-fg-muted">
          {labels.map((at, index) => (
            <span
              key={at.getTime()}
              className={cn("absolute -translate-x-1/2 whitespace-nowrap", index % 3 !== 0 && "max-sm:hidden")}
              style={{ left: leftOf(at) }}
            >
              {dateText(at, zone).replace(/ \d{4}$/, "")}
            </span>
          ))}
        </div>
      </div>
      <details className="px-4 pb-3 text-fg-muted">
        <summary className="w-fit py-0.5 text-xs">View as table</summary>
        <div className="mt-2 max-h-80 overflow-y-auto rounded-lg border text-fg">
          <Table label="Visits of this device" columns={["Time", "Risk", "Imprint"]}>
            {[...visits].reverse().map((visit) => (
              <tr key={visit.imprint}>
                <Td>
                  <AbsoluteTime at={visit.recordedAt} zone={zone} />
                </Td>
                <Td>
                  <RiskBadge status={visit.status} />
                </Td>
                <Td>
                  <Link
                    className="link font-mono text-xs"
                    href={pageHref("report", { workspaceId, imprint: visit.imprint })}
                    title={visit.imprint}
                  >
                    {shortId(visit.imprint)}
                  </Link>
                </Td>
              </tr>
            ))}
          </Table>
        </div>
      </details>
    </Panel>
  );
}
