/** The colour of a series, by what it means. */
export type ChartMark = "pass" | "suspicious" | "deceptive" | "plain";

export type ChartStep = {
  /** `21 Nov 2026, 07:00 UTC` */
  title: string;
  /** On the axis, where there is room; empty where the axis names nothing. */
  label: string;
  /** Where the step begins and ends, as a range of the list of Reports takes them: `2026-11-21T07:00`, in UTC. */
  from: string;
  to: string;
};

/** Bars that are stacked on those before. */
export type ChartSeries = { name: string; mark: ChartMark; values: readonly number[]; href?: string };
/** A line over the bars: the time before, or a forecast; null where it has no value. */
export type ChartLine = { name: string; values: readonly (number | null)[]; isDashed: boolean };

export type ChartLimit = { name: string; value: number };

/** The part of an address in which a chart puts the range that was selected. */
const FROM = "{from}";
const TO = "{to}";

/** An address with `{from}` and `{to}` in it, of the list of visits of a range. */
export const rangeHref = (template: string, from: string, to: string): string =>
  template.replace(FROM, encodeURIComponent(from)).replace(TO, encodeURIComponent(to));

/** An address that takes a range, whatever its query has already. */
export const rangeTemplate = (path: string, query = ""): string => {
  const parameters = new URLSearchParams(query);
  for (const name of ["from", "to", "zone", "span", "before", "after"]) parameters.delete(name);
  const others = parameters.toString();
  return `${path}?${others === "" ? "" : `${others}&`}from=${FROM}&to=${TO}`;
};

/** `2026-11-21T07:00` */
export const rangeText = (at: Date): string => at.toISOString().slice(0, 16);

/** The steps between two that were selected, in either direction. */
export const selected = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)];

const grouped = new Intl.NumberFormat("en-US");
export const countText = (count: number): string => grouped.format(count);

/** What a step has, for people who do not see the chart. */
export function stepText(
  index: number,
  {
    steps,
    series,
    lines,
  }: { steps: readonly ChartStep[]; series: readonly ChartSeries[]; lines: readonly ChartLine[] },
): string {
  const values = series.map(({ name, values: of }) => `${name} ${countText(of[index] ?? 0)}`);
  const others = lines.flatMap(({ name, values: of }) => {
    const value = of[index];
    return value === null || value === undefined ? [] : [`${name} ${countText(Math.round(value))}`];
  });
  return `${steps[index]?.title ?? ""}: ${[...values, ...others].join(", ")}`;
}
