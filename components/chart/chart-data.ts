import { countText } from "@/components/ui/counted";
/** The colour of a series, by meaning. */
export type ChartMark = "pass" | "suspicious" | "deceptive" | "plain";

export type ChartStep = {
  /** `21 Nov 2026, 07:00 UTC` */
  title: string;
  /** Label on the axis, if there is room; empty if the axis has none for this step. */
  label: string;
  /** Bounds of the step in the range format of the list of Reports: `2026-11-21T07:00`, in UTC. */
  from: string;
  to: string;
};

/** Bars stacked on those of the previous series. */
export type ChartSeries = { name: string; mark: ChartMark; values: readonly number[]; href?: string };
/** A line over the bars: the previous period, or a forecast; null where it has no value. */
export type ChartLine = { name: string; values: readonly (number | null)[]; isDashed: boolean };

export type ChartLimit = { name: string; value: number };

/** Placeholders in a URL for the selected range. */
const FROM = "{from}";
const TO = "{to}";

/** Fills `{from}` and `{to}` in a URL of the list of visits. */
export const rangeHref = (template: string, from: string, to: string): string =>
  template.replace(FROM, encodeURIComponent(from)).replace(TO, encodeURIComponent(to));

/** A URL with placeholders for a range, which replace any range in the query. */
export const rangeTemplate = (path: string, query = ""): string => {
  const parameters = new URLSearchParams(query);
  for (const name of ["from", "to", "zone", "span", "before", "after"]) parameters.delete(name);
  const others = parameters.toString();
  return `${path}?${others === "" ? "" : `${others}&`}from=${FROM}&to=${TO}`;
};

/** `2026-11-21T07:00` */
export const rangeText = (at: Date): string => at.toISOString().slice(0, 16);

/** The selected steps in ascending order. */
export const selected = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)];

/** The values of a step as text, for people who do not see the chart. */
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

/** Maximum number of labels on a time axis, and of those with at most two characters, such as days of a month. */
const MAX_LABELS = 8;
const MAX_SHORT_LABELS = 16;
const SHORT_CHARACTERS = 2;

/** The steps whose labels fit on the time axis, at equal distances. */
export function labelledSteps(steps: readonly ChartStep[]): { label: string; index: number }[] {
  const labelled = steps.flatMap(({ label }, index) => (label === "" ? [] : [{ label, index }]));
  const areShort = labelled.every(({ label }) => label.length <= SHORT_CHARACTERS);
  const every = Math.max(1, Math.ceil(labelled.length / (areShort ? MAX_SHORT_LABELS : MAX_LABELS)));
  return labelled.filter((_, place) => place % every === 0);
}
