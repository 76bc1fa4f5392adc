import { Link } from "@/components/ui/link";

import { cn } from "@/components/ui/class-names";
import { Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import { AbsoluteTime } from "@/components/ui/time";
import { dateText } from "@/components/ui/time-text";
import { shortId } from "@/components/ui/id";
import type { ReportStatus } from "@/lib/contract/report";
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

type Props = { workspaceId: string; visits: readonly Visit[]; until: Date; zone: string };

export function DeviceTimeline({ workspaceId, visits, until, zone }: Props) {
  const from = until.getTime() - DAYS * DAY_MS;
  const leftOf = (at: Date) => `${((at.getTime() - from) / (DAYS * DAY_MS)) * 100}%`;
  const labels = Array.from({ length: LABELS }, (_, index) => new Date(from + (index / (LABELS - 1)) * DAYS * DAY_MS));
  return (
    <Panel id="timeline" title={`This device, ${DAYS} days`} aside="● pass  ▲ suspicious  ■ deceptive">
      <div className="px-8 pt-5 pb-1">
        <div
          role="img"
          aria-label={`${visits.length} visits of this device, listed in the table`}
          className="relative h-4 border-0"
        >
          <div className="absolute inset-x-0 top-1/2 border-t-2" />
          {visits.map(({ imprint, recordedAt, status }) => (
            <svg
              key={imprint}
              aria-hidden
              viewBox="0 0 14 14"
              className="absolute top-px size-3.5 -translate-x-1/2"
              style={{ left: leftOf(recordedAt) }}
            >
              <Mark status={status} />
            </svg>
          ))}
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
                    href={`/w/${workspaceId}/reports/${visit.imprint}`}
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
