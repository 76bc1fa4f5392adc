import { rangeTemplate, rangeText } from "@/components/chart/chart-data";
import { TimeChart } from "@/components/chart/time-chart";
import { pageHref } from "@/components/shell/pages";
import { NumberTh } from "@/components/ui/cells";
import { ChartTable } from "@/components/ui/chart-table";
import { countText } from "@/components/ui/counted";
import { Td } from "@/components/ui/table";
import { dateText } from "@/components/ui/time-text";
import { choiceText } from "@/lib/contract/report-filters";

const DAY_MS = 86_400_000;

type Props = {
  workspaceId: string;
  ruleId: string;
  steps: readonly { from: Date; visits: number }[];
  span: string;
  zone: string;
};

/** Visits in which a rule fired, by day, as a chart that links to them and as a table. */
export function RuleBars({ workspaceId, ruleId, steps, span, zone }: Props) {
  const title = `Visits by day, ${ruleId}`;
  const fired = new URLSearchParams({ rule: choiceText({ isExcluded: false, values: [ruleId] }) });
  return (
    <figure className="p-4">
      <TimeChart
        label={title}
        span={span}
        steps={steps.map(({ from }) => ({
          title: dateText(from, zone),
          label: dateText(from, zone).replace(/ \d{4}$/, ""),
          from: rangeText(from),
          to: rangeText(new Date(from.getTime() + DAY_MS)),
        }))}
        series={[{ name: "Visits", mark: "plain", values: steps.map(({ visits }) => visits) }]}
        template={rangeTemplate(pageHref("reports", { workspaceId }), fired.toString())}
      />
      <ChartTable label={title} columns={["Day", <NumberTh>Visits</NumberTh>]}>
        {steps.map(({ from, visits }) => (
          <tr key={from.getTime()}>
            <Td>{dateText(from, zone)}</Td>
            <Td className="text-right">{countText(visits)}</Td>
          </tr>
        ))}
      </ChartTable>
    </figure>
  );
}
