import { cn } from "@/components/ui/class-names";
import { ChartTable } from "@/components/ui/chart-table";
import { Td } from "@/components/ui/table";
import { dateText, hourText } from "@/components/ui/time-text";
import { UTC, zoneText } from "@/components/ui/zone";
import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";
import { chartLines } from "./chart-scale";
import { riskWord } from "./risk-badge";
import type { Step } from "./time-steps";

type Bar = { from: Date } & Record<ReportStatus, number>;

/** Width of one step and of its bar in SVG units; the drawing is stretched to the page. */
const SLOT = 10;
const BAR = 8;
/** Most labels along the time axis. */
const MAX_LABELS = 8;

const FILL: Record<ReportStatus, string> = {
  PASS: "var(--pass-mark)",
  SUSPICIOUS: "var(--susp-mark)",
  DECEPTIVE: "var(--dec-mark)",
};

const sum = (step: Bar) => REPORT_STATUSES.reduce((total, status) => total + step[status], 0);

const labelOf = (at: Date, step: Step, zone: string) =>
  step === "hour" ? hourText(at, zone) : dateText(at, zone).replace(/ \d{4}$/, "");

/** `21 Nov 2026, 07:00`; without the time where a bar is a day or a week. */
const longLabel = (at: Date, step: Step, zone: string) =>
  step === "day" || step === "week" ? dateText(at, zone) : `${dateText(at, zone)}, ${hourText(at, zone)}`;

function Column({ bar: step, title, index, max }: { bar: Bar; title: string; index: number; max: number }) {
  const counts = REPORT_STATUSES.map((status) => `${riskWord(status)} ${step[status]}`).join(", ");
  return (
    <g>
      <title>{`${title}: ${counts}`}</title>
      {REPORT_STATUSES.map((status, at) => {
        if (step[status] === 0) return null;
        const top = REPORT_STATUSES.slice(0, at + 1).reduce((count, lower) => count + step[lower], 0);
        return (
          <rect
            key={status}
            x={index * SLOT + (SLOT - BAR) / 2}
            y={max - top}
            width={BAR}
            height={step[status]}
            fill={FILL[status]}
            className="mark"
          />
        );
      })}
    </g>
  );
}

/** Grid lines and their values, behind the bars. */
function Scale({ lines, max }: { lines: readonly number[]; max: number }) {
  return (
    <div aria-hidden className="absolute inset-0 text-[0.6875rem] leading-none text-fg-muted">
      {lines.map((line) => (
        <div key={line} className="absolute inset-x-0 ml-8 border-t" style={{ bottom: `${(line / max) * 100}%` }}>
          <span className="absolute -left-8 w-6 -translate-y-1/2 text-right">{line}</span>
        </div>
      ))}
    </div>
  );
}

type Props = { steps: readonly Bar[]; step: Step; span: string; zone?: string };

/** Visits by verdict over time, stacked in the order pass, suspicious, deceptive, and as a table. */
export function StatusChart({ steps, step, span, zone = UTC }: Props) {
  const lines = chartLines(Math.max(0, ...steps.map(sum)));
  const max = lines.at(-1) ?? 1;
  const zoneName = zoneText(steps.at(-1)?.from ?? new Date(0), zone);
  const labelEvery = Math.max(1, Math.ceil(steps.length / MAX_LABELS));
  return (
    <figure className="mb-4">
      <div className="relative mt-2 h-27">
        <Scale lines={lines} max={max} />
        <svg
          role="img"
          aria-label={`Reports by verdict, ${span}, ${zoneName}`}
          viewBox={`0 0 ${steps.length * SLOT} ${max}`}
          preserveAspectRatio="none"
          className="absolute inset-y-0 right-0 left-8 h-full w-[calc(100%-32px)]"
        >
          {steps.map((bar, index) => (
            <Column
              key={bar.from.getTime()}
              bar={bar}
              title={`${longLabel(bar.from, step, zone)} ${zoneName}`}
              index={index}
              max={max}
            />
          ))}
        </svg>
      </div>
      <div aria-hidden className="relative ml-8 h-6 text-[0.6875rem] leading-6 text-fg-muted">
        {steps
          .map((bar, index) => ({ at: bar.from, left: ((index + 0.5) / steps.length) * 100, index }))
          .filter(({ index }) => index % labelEvery === 0)
          .map(({ at, left }, index) => (
            <span
              key={at.getTime()}
              className={cn("absolute -translate-x-1/2 whitespace-nowrap", index % 2 === 1 && "max-sm:hidden")}
              style={{ left: `${left}%` }}
            >
              {labelOf(at, step, zone)}
            </span>
          ))}
      </div>
      <ChartTable
        label={`Reports by verdict, ${span}`}
        columns={[`From (${zoneName})`, ...REPORT_STATUSES.map(riskWord)]}
      >
        {steps.map((bar) => (
          <tr key={bar.from.getTime()}>
            <Td>{longLabel(bar.from, step, zone)}</Td>
            {REPORT_STATUSES.map((status) => (
              <Td key={status}>{bar[status]}</Td>
            ))}
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
