import type { ChartLine } from "@/components/chart/chart-data";
import { TimeChart } from "@/components/chart/time-chart";
import { answeredCalls, refusedCalls } from "@/components/report/outcome-labels";
import { NumberTh } from "@/components/ui/cells";
import { ChartTable } from "@/components/ui/chart-table";
import { countText } from "@/components/ui/counted";
import { Td } from "@/components/ui/table";
import type { UsageCount } from "@/lib/metering";

type Days = readonly ({ date: string } & UsageCount)[];
type Props = { days: Days; name: string };

const stepsOf = (dates: readonly string[]) =>
  dates.map((date) => ({ title: date, label: String(Number(date.slice(8))), from: date, to: date }));

/** Report units by day as a chart, and with the calls as a table. */
export function DayBars({ days, name }: Props) {
  return (
    <figure className="p-4">
      <TimeChart
        label={`Report units by day, ${name}, UTC`}
        span={name}
        steps={stepsOf(days.map(({ date }) => date))}
        series={[{ name: "Units", mark: "plain", values: days.map(({ units }) => units) }]}
      />
      <ChartTable
        label={`Usage by day, ${name}`}
        columns={[
          "Day (UTC)",
          <NumberTh>Units</NumberTh>,
          <NumberTh>Calls answered</NumberTh>,
          <NumberTh>Not counted</NumberTh>,
        ]}
      >
        {days.map((day) => (
          <tr key={day.date}>
            <Td>{day.date}</Td>
            <Td className="text-right">{countText(day.units)}</Td>
            <Td className="text-right">{countText(answeredCalls(day))}</Td>
            <Td className="text-right">{countText(refusedCalls(day))}</Td>
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}

/** Every day of the month that contains a date. */
function daysOfMonth(date: string): string[] {
  const [year = 0, month = 1] = date.split("-").map(Number);
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${date.slice(0, 8)}${String(index + 1).padStart(2, "0")}`);
}

/** Units of the current month so far, their projection, and the limit. */
export function MonthSoFar({ days, name, limit, atEnd }: Props & { limit: number | null; atEnd: number }) {
  const dates = daysOfMonth(days[0]?.date ?? "1970-01-01");
  const sums: number[] = [];
  for (const { units } of days) sums.push((sums.at(-1) ?? 0) + units);
  const [last, used] = [sums.length - 1, sums.at(-1) ?? 0];
  const slope = (atEnd - used) / Math.max(1, dates.length - 1 - last);
  const values = dates.map((_, index) => (index < last ? null : Math.round(used + slope * (index - last))));
  const forecast: ChartLine = { name: "Forecast", values, isDashed: true };
  // A distant limit would flatten everything else, so it is drawn only once it is near.
  const isNear = limit !== null && Math.max(used, atEnd) > limit / 4;
  return (
    <figure className="border-t p-4">
      <TimeChart
        label={`Report units of the month so far, with the forecast, ${name}, UTC`}
        span="The month so far"
        steps={stepsOf(dates)}
        series={[{ name: "Units", mark: "plain", values: sums }]}
        lines={[forecast]}
        limit={isNear ? { name: "Limit", value: limit } : undefined}
        isRunningTotal
      />
      <ChartTable
        label={`Units of the month so far, ${name}`}
        columns={["Day (UTC)", <NumberTh>Units so far</NumberTh>, <NumberTh>Forecast</NumberTh>]}
      >
        {dates.map((date, index) => (
          <tr key={date}>
            <Td>{date}</Td>
            <Td className="text-right">{index <= last ? countText(sums[index] ?? 0) : ""}</Td>
            <Td className="text-right">{index > last ? countText(values[index] ?? 0) : ""}</Td>
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
