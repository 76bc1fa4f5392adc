import { chartLines } from "@/components/report/chart-scale";
import { ChartTable } from "@/components/ui/chart-table";
import { Td, Th } from "@/components/ui/table";
import { dateText } from "@/components/ui/time-text";

const grouped = new Intl.NumberFormat("en-US");

type Props = { steps: readonly { from: Date; visits: number }[]; name: string; zone: string };

/** Visits in which a rule fired, by day, as a chart and as a table. */
export function RuleBars({ steps, name, zone }: Props) {
  const lines = chartLines(Math.max(0, ...steps.map(({ visits }) => visits)));
  const max = lines.at(-1) ?? 1;
  const [first, last] = [steps[0], steps.at(-1)];
  return (
    <figure className="p-4">
      <div role="img" aria-label={`Visits by day, ${name}`} className="relative ml-10 h-27">
        {lines.map((line) => (
          <div key={line} className="absolute inset-x-0 border-t" style={{ bottom: `${(line / max) * 100}%` }}>
            <span className="absolute -left-10 w-8 -translate-y-1/2 text-right text-[0.6875rem] leading-none text-fg-muted">
              {grouped.format(line)}
            </span>
          </div>
        ))}
        <div className="absolute inset-0 flex items-end gap-[2px]">
          {steps.map(({ from, visits }) => (
            <div
              key={from.getTime()}
              title={`${dateText(from, zone)}: ${grouped.format(visits)}`}
              className="mark min-w-0 flex-1 rounded-t-sm bg-border-strong"
              style={{ height: `${(visits / max) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1 ml-10 flex justify-between text-[0.6875rem] text-fg-muted">
        <span>{first ? dateText(first.from, zone) : ""}</span>
        <span>{last ? dateText(last.from, zone) : ""}</span>
      </div>
      <ChartTable
        label={`Visits by day, ${name}`}
        columns={[
          "Day",
          <Th key="visits" className="text-right">
            Visits
          </Th>,
        ]}
      >
        {steps.map(({ from, visits }) => (
          <tr key={from.getTime()}>
            <Td>{dateText(from, zone)}</Td>
            <Td className="text-right">{grouped.format(visits)}</Td>
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
