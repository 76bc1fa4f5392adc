import { chartLines } from "@/components/report/chart-scale";
import { ChartTable } from "@/components/ui/chart-table";
import { Td, Th } from "@/components/ui/table";
import type { UsageCount } from "@/lib/metering";
import { answeredCalls, refusedCalls } from "@/components/report/outcome-labels";

const grouped = new Intl.NumberFormat("en-US");
const LABEL_EVERY = 7;

type Props = { days: readonly ({ date: string } & UsageCount)[]; name: string };

/** Report units by day as a chart, and with the calls as a table. */
export function DayBars({ days, name }: Props) {
  const lines = chartLines(Math.max(0, ...days.map(({ units }) => units)));
  const max = lines.at(-1) ?? 1;
  return (
    <figure className="p-4">
      <div role="img" aria-label={`Report units by day, ${name}, UTC`} className="relative ml-12 h-27">
        {lines.map((line) => (
          <div key={line} className="absolute inset-x-0 border-t" style={{ bottom: `${(line / max) * 100}%` }}>
            <span className="absolute -left-12 w-10 -translate-y-1/2 text-right text-[0.6875rem] leading-none text-fg-muted">
              {grouped.format(line)}
            </span>
          </div>
        ))}
        <div className="absolute inset-0 flex items-end gap-[2px]">
          {days.map(({ date, units }) => (
            <div
              key={date}
              title={`${date}: ${grouped.format(units)} units`}
              className="mark min-w-0 flex-1 rounded-t-sm bg-border-strong"
              style={{ height: `${(units / max) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1 ml-12 flex gap-[2px] text-[0.6875rem] text-fg-muted">
        {days.map(({ date }, index) => (
          <span key={date} className="min-w-0 flex-1 overflow-visible whitespace-nowrap">
            {index % LABEL_EVERY === 0 ? Number(date.slice(8)) : ""}
          </span>
        ))}
      </div>
      <ChartTable
        label={`Usage by day, ${name}`}
        columns={[
          "Day (UTC)",
          <Th className="text-right">Units</Th>,
          <Th className="text-right">Calls answered</Th>,
          <Th className="text-right">Not counted</Th>,
        ]}
      >
        {days.map((day) => (
          <tr key={day.date}>
            <Td>{day.date}</Td>
            <Td className="text-right">{grouped.format(day.units)}</Td>
            <Td className="text-right">{grouped.format(answeredCalls(day))}</Td>
            <Td className="text-right">{grouped.format(refusedCalls(day))}</Td>
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
