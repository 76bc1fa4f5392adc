import { type ChartLine, type ChartMark, rangeText } from "@/components/chart/chart-data";
import { TimeChart } from "@/components/chart/time-chart";
import { ChartTable } from "@/components/ui/chart-table";
import { Td } from "@/components/ui/table";
import { dateText, hourText } from "@/components/ui/time-text";
import { UTC, zoneText } from "@/components/ui/zone";
import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";
import { riskWord } from "./risk-badge";
import type { Step } from "./time-steps";

type Bar = { from: Date } & Record<ReportStatus, number>;

const MARKS: Record<ReportStatus, ChartMark> = { PASS: "pass", SUSPICIOUS: "suspicious", DECEPTIVE: "deceptive" };
const STEP_MS: Record<Step, number> = {
  hour: 3_600_000,
  quarter: 6 * 3_600_000,
  day: 24 * 3_600_000,
  week: 7 * 24 * 3_600_000,
};

const isWhole = (at: Date, step: Step, zone: string) =>
  (step === "day" || step === "week") && hourText(at, zone) === "00:00";

const dayText = (at: Date, zone: string) => dateText(at, zone).replace(/ \d{4}$/, "");

/** Axis label of a step. Of the steps within a day, the first has the day's name. */
function labelOf(at: Date, before: Date | undefined, step: Step, zone: string): string {
  if (step === "hour") return hourText(at, zone);
  if (step !== "quarter") return dayText(at, zone);
  const isFirst = before === undefined ? hourText(at, zone) === "00:00" : dayText(before, zone) !== dayText(at, zone);
  return isFirst ? dayText(at, zone) : "";
}

/** `21 Nov 2026, 07:00`; without the time if a bar is a day or week of the zone. */
const longLabel = (at: Date, step: Step, zone: string) =>
  isWhole(at, step, zone) ? dateText(at, zone) : `${dateText(at, zone)}, ${hourText(at, zone)}`;

/** The step of a chart of slices, by their hours. */
export const STEP_OF_HOURS = { 1: "hour", 6: "quarter", 24: "day" } as const;

type Verdicts = { passed: number; suspicious: number; deceptive: number };

/** The bars of slices. */
export const barsOf = (starts: readonly Date[], series: readonly Verdicts[]): Bar[] =>
  starts.map((from, index) => ({
    from,
    PASS: series[index]?.passed ?? 0,
    SUSPICIOUS: series[index]?.suspicious ?? 0,
    DECEPTIVE: series[index]?.deceptive ?? 0,
  }));

type Props = {
  steps: readonly Bar[];
  step: Step;
  span: string;
  zone?: string;
  /** End of the last step; by default it is as long as the others. */
  to?: Date;
  /** URL of the list with placeholders for a range: bars link to their visits. */
  template?: string;
  /** URL of the list by verdict. */
  hrefOf?: (status: ReportStatus) => string;
  /** Visits of each step in the previous period. */
  previous?: readonly number[] | undefined;
};

/** Visits by verdict over time, stacked in the order pass, suspicious, deceptive, and as a table. */
export function StatusChart({ steps, step, span, zone = UTC, to, template, hrefOf, previous }: Props) {
  const zoneName = zoneText(steps.at(-1)?.from ?? new Date(0), zone);
  const endOf = (bar: Bar, index: number) =>
    steps[index + 1]?.from ?? to ?? new Date(bar.from.getTime() + STEP_MS[step]);
  const lines: ChartLine[] = previous ? [{ name: "Before", values: previous, isDashed: true }] : [];
  return (
    <figure className="mb-4">
      <TimeChart
        label={`Reports by verdict, ${span}, ${zoneName}`}
        span={span.charAt(0).toUpperCase() + span.slice(1)}
        steps={steps.map((bar, index) => ({
          title: `${longLabel(bar.from, step, zone)} ${zoneName}`,
          label: labelOf(bar.from, steps[index - 1]?.from, step, zone),
          from: rangeText(bar.from),
          to: rangeText(endOf(bar, index)),
        }))}
        series={REPORT_STATUSES.map((status) => ({
          name: riskWord(status),
          mark: MARKS[status],
          values: steps.map((bar) => bar[status]),
          ...(hrefOf ? { href: hrefOf(status) } : {}),
        }))}
        lines={lines}
        template={template}
      />
      <ChartTable
        label={`Reports by verdict, ${span}`}
        columns={[`From (${zoneName})`, ...REPORT_STATUSES.map(riskWord), ...(previous ? ["Before"] : [])]}
      >
        {steps.map((bar, index) => (
          <tr key={bar.from.getTime()}>
            <Td>{longLabel(bar.from, step, zone)}</Td>
            {REPORT_STATUSES.map((status) => (
              <Td key={status}>{bar[status]}</Td>
            ))}
            {previous ? <Td>{previous[index] ?? 0}</Td> : null}
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
