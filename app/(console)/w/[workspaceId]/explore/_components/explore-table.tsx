import { Sparkline } from "@/components/chart/sparkline";
import { DIMENSION_NAMES, filterOfValue, valueText } from "@/components/report/dimension-text";
import { reportsHref } from "@/components/report/range-query";
import { riskWord } from "@/components/report/risk-badge";
import { NumberTh } from "@/components/ui/cells";
import { countText } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";
import { ElasticTd, Table, Td } from "@/components/ui/table";
import type { Explored, ExploredDimension, ExploredRow } from "@/lib/visits/slices";

type Props = {
  workspaceId: string;
  dimensions: readonly ExploredDimension[];
  explored: Explored;
  webApps: readonly { webAppId: string; name: string }[];
};

/** Filters for a row's visits; undefined if one of its values is unknown, since no filter matches that. */
function filtersOf(dimensions: readonly ExploredDimension[], { values }: ExploredRow) {
  const filters = dimensions.map((dimension, index) => filterOfValue(dimension, values[index] ?? ""));
  return filters.includes(undefined) ? undefined : (Object.assign({}, ...filters) as Record<string, string>); // safe: filters only
}

/** The most frequent values with their verdicts, over time; each row links to its visits. */
export function ExploreTable({ workspaceId, dimensions, explored, webApps }: Props) {
  const counted = (
    [
      ["PASS", "passed"],
      ["SUSPICIOUS", "suspicious"],
      ["DECEPTIVE", "deceptive"],
    ] as const
  ).map(([status, name]) => ({ status, name }));
  return (
    <Table
      label="Most frequent"
      columns={[
        ...dimensions.map((dimension) => DIMENSION_NAMES[dimension]),
        <NumberTh>Visits</NumberTh>,
        ...counted.map(({ status }) => <NumberTh>{riskWord(status)}</NumberTh>),
        "Over time",
      ]}
    >
      {explored.rows.map((row) => {
        const filters = filtersOf(dimensions, row);
        return (
          <tr key={row.values.join(" ")} className="relative hover:bg-surface-2">
            {dimensions.map((dimension, index) => {
              const text = valueText(dimension, row.values[index] ?? "", webApps);
              return (
                <ElasticTd key={dimension} title={text}>
                  {index === 0 && filters ? (
                    <Link
                      href={reportsHref(workspaceId, explored, filters)}
                      data-row-link
                      className="row-link hover:underline"
                    >
                      {text}
                    </Link>
                  ) : (
                    text
                  )}
                </ElasticTd>
              );
            })}
            <Td className="text-right font-medium">{countText(row.visits)}</Td>
            {counted.map(({ status, name }) => (
              <Td key={status} className="text-right">
                {countText(row.verdicts[name])}
                {row.isSample ? <span title="Of the newest 500 visits">*</span> : null}
              </Td>
            ))}
            <Td className="w-1/4">
              <Sparkline series={row.series} />
            </Td>
          </tr>
        );
      })}
    </Table>
  );
}
