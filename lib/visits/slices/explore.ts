import { AppError } from "@/lib/contract/errors";
import { uuidToId } from "@/lib/contract/ids";
import { type Context, onReader } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { authorize, requireAddresses } from "@/lib/tenancy/workspaces";
import { authorizeAccounts } from "@/lib/visits/account-map";
import {
  countVisitsOf,
  findSliceStart,
  seriesOfSlices,
  seriesOfValues,
  type SeriesRow,
  type SliceOrder,
  type SliceRow,
  sumSlices,
  type Verdicts,
} from "@/lib/visits/visit-store";
import { DAY_MS } from "@/lib/platform/calendar";
import { type Dimension, DIMENSIONS, type FewValued, isManyValued, type ManyValued } from "./domain/dimensions";
import { previousRange, type Range, rangeSteps, wholeRange } from "./domain/slice-range";

/** Dimensions that can be explored. Addresses have their own page. */
export type ExploredDimension = Exclude<Dimension, "address">;

/** In display order. */
export const EXPLORED_DIMENSIONS: readonly ExploredDimension[] = DIMENSIONS.filter((name) => name !== "address");
export type ExploreInput = {
  workspaceId: string;
  dimensions: readonly [ExploredDimension] | readonly [ExploredDimension, ExploredDimension];
  from: Date;
  to: Date;
  /** By all visits, or by suspicious and deceptive ones only. */
  order?: SliceOrder | undefined;
  limit?: number | undefined;
};

export type ExploredRow = {
  /** Values of the dimensions as list filters accept them; empty if unknown. */
  values: string[];
  verdicts: Verdicts;
  /** May exceed what was read, in which case `verdicts` and `series` cover only the newest visits. */
  visits: number;
  isSample: boolean;
  series: Verdicts[];
};

export type Explored = Range & {
  starts: Date[];
  /** Length of a step. */
  stepHours: 1 | 6 | 24;
  rows: ExploredRow[];
  /** Total number of values or pairs; for devices and accounts, only those among the most frequent. */
  rowCount: number;
  total: { verdicts: Verdicts; series: Verdicts[]; previous: Verdicts | undefined };
  /** Set if the range begins before the counted or kept data. */
  wholeFrom: Date | undefined;
};

const MAX_ROWS = 50;
const DEFAULT_ROWS = 20;
/** Maximum number of visits read for one device or account. */
const READ_VISITS = 500;
/** Limit for counting the visits of one device or account. */
const MAX_VISITS = 100_000;

export const noVisits = (): Verdicts => ({ passed: 0, suspicious: 0, deceptive: 0 });
export const sumOf = ({ passed, suspicious, deceptive }: Verdicts): number => passed + suspicious + deceptive;

function add(to: Verdicts | undefined, { passed, suspicious, deceptive }: Verdicts): void {
  if (!to) return;
  to.passed += passed;
  to.suspicious += suspicious;
  to.deceptive += deceptive;
}

/** A value as used in filters and links. */
export function shownValue(dimension: Dimension, value: string): string {
  if (value === "") return "";
  if (dimension === "device") return uuidToId("device", value);
  if (dimension === "app") return uuidToId("webApp", value);
  return dimension === "account" ? uuidToId("account", value) : value;
}

const PLACES: readonly Dimension[] = ["country", "network", "address"];

/**
 * Checks that the actor may see these dimensions.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`
 */
export async function authorizeDimensions(context: Context, workspaceId: string, dimensions: readonly Dimension[]) {
  const access = await authorize(context, workspaceId, "report.read");
  if (dimensions.some((dimension) => PLACES.includes(dimension))) requireAddresses(access);
  if (dimensions.includes("account")) await authorizeAccounts(context, workspaceId);
  return access;
}

/**
 * The range that slices can answer, the time from which it is complete (if not from the beginning), and the range
 * before.
 */
export async function readableRange(context: Context, workspaceId: string, asked: Range) {
  const { countedFrom, keptFrom } = await findSliceStart(context.db, workspaceId, env.RETENTION_DAYS);
  const range = wholeRange(asked, context.now);
  const kept = keptFrom && new Date(Math.ceil(keptFrom.getTime() / DAY_MS) * DAY_MS);
  const from = kept && kept > range.from && kept < range.to ? kept : range.from;
  const whole = [countedFrom, kept].filter((at): at is Date => at !== undefined && at > range.from);
  const wholeFrom = whole.sort((a, b) => b.getTime() - a.getTime())[0];
  const previous = previousRange({ from, to: range.to });
  const isPreviousWhole = [countedFrom, kept].every((at) => at === undefined || at <= previous.from);
  return { range: { from, to: range.to }, wholeFrom, previous: isPreviousWhole ? previous : undefined };
}

const keyOf = (first: string, second: string) => JSON.stringify([first, second]);

/** Series by row, including zeros. */
function seriesByRow(rows: readonly SeriesRow[], steps: number): Map<string, Verdicts[]> {
  const series = new Map<string, Verdicts[]>();
  for (const { step, first, second, ...verdicts } of rows) {
    const key = keyOf(first, second);
    const list = series.get(key) ?? Array.from({ length: steps }, noVisits);
    add(list[step], verdicts);
    series.set(key, list);
  }
  return series;
}

/** Explores the most frequent values of few-valued dimensions over time. */
async function exploreFew(
  { db }: Context,
  input: Omit<ExploreInput, "dimensions"> & { dimensions: readonly [FewValued] | readonly [FewValued, FewValued] },
  steps: { range: Range; starts: Date[]; isHourly: boolean },
) {
  const { workspaceId, dimensions, order = "visits", limit = DEFAULT_ROWS } = input;
  const range = { workspaceId, dimensions, ...steps.range, byHour: false };
  const { rows, values } = await sumSlices(db, range, { order, limit });
  const wanted = rows.map(({ first, second }) => [first, second] as const);
  const found =
    rows.length === 0
      ? []
      : await seriesOfSlices(db, { ...range, byHour: steps.isHourly, values: wanted }, steps.starts);
  const series = seriesByRow(found, steps.starts.length);
  return {
    rowCount: values,
    rows: rows.map(({ first, second, ...verdicts }): ExploredRow => ({
      values: dimensions.map((dimension, index) => shownValue(dimension, index === 0 ? first : second)),
      verdicts: { passed: verdicts.passed, suspicious: verdicts.suspicious, deceptive: verdicts.deceptive },
      visits: sumOf(verdicts),
      isSample: false,
      series: series.get(keyOf(first, second)) ?? steps.starts.map(noVisits),
    })),
  };
}

/** Explores the most frequent devices or accounts, alone or combined with another dimension. */
async function exploreMany(
  { db }: Context,
  { workspaceId, order = "visits", limit = DEFAULT_ROWS }: ExploreInput,
  [many, other]: readonly [ManyValued & ("device" | "account"), FewValued | undefined],
  { range, starts }: { range: Range; starts: Date[] },
) {
  const counted = { workspaceId, dimensions: [many] as const, ...range, byHour: false };
  const { rows, values } = await sumSlices(db, counted, { order, limit });
  const asked = { workspaceId, dimension: many, values: rows.map(({ first }) => first), ...range };
  if (rows.length === 0) return { rowCount: 0, rows: [] };
  const [visits, found] = await Promise.all([
    countVisitsOf(db, asked, MAX_VISITS),
    seriesOfValues(db, asked, { other, starts, most: READ_VISITS }),
  ]);
  const explored = [...seriesByRow(found, starts.length)].map(([key, series]): ExploredRow => {
    const [first = "", second = ""] = JSON.parse(key) as string[]; // as `keyOf` made it
    const verdicts = noVisits();
    for (const step of series) add(verdicts, step);
    const all = visits.get(first) ?? sumOf(verdicts);
    const isSample = all > READ_VISITS;
    const shown =
      other === undefined ? [shownValue(many, first)] : [shownValue(many, first), shownValue(other, second)];
    return { values: shown, verdicts, visits: other === undefined ? all : sumOf(verdicts), isSample, series };
  });
  const rank = ({ verdicts, visits: all }: ExploredRow) =>
    order === "attention" ? verdicts.suspicious + verdicts.deceptive : all;
  explored.sort((a, b) => rank(b) - rank(a) || (a.values.join() < b.values.join() ? -1 : 1));
  return { rowCount: other === undefined ? values : explored.length, rows: explored.slice(0, limit) };
}

/** Checks a combination of dimensions: two different ones, at most one of them many-valued. */
function ordered(dimensions: ExploreInput["dimensions"]) {
  const [one, other] = dimensions;
  if (other !== undefined && isManyValued(one) && isManyValued(other))
    throw new AppError("invalid_request", {
      message: "Devices and accounts cannot be combined here; their own pages show both",
    });
  if (other !== undefined && one === other)
    throw new AppError("invalid_request", { message: "Choose two different things to count by" });
  return { one, other };
}

/**
 * Counts visits of a range by one or two dimensions over time, most frequent values first. Reads slices. For devices
 * and accounts, slices give the most frequent ones and an index gives their visits.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function explore(context: Context, input: ExploreInput): Promise<Explored> {
  const { workspaceId, dimensions } = input;
  const { one, other } = ordered(dimensions);
  await authorizeDimensions(context, workspaceId, dimensions);
  const limit = Math.min(Math.max(1, input.limit ?? DEFAULT_ROWS), MAX_ROWS);
  const reading = onReader(context);
  const { range, wholeFrom, previous } = await readableRange(reading, workspaceId, input);
  const { starts, hours } = rangeSteps(range);
  const steps = { range, starts, isHourly: hours < 24 };
  const bounded = { ...input, limit };
  const all = { workspaceId, dimensions: [] as const, byHour: false };
  const isTurned = other !== undefined && isManyValued(other);
  const [most, least] = isTurned ? [other, one] : [one, other];
  const [{ rows, rowCount }, total, before] = await Promise.all([
    isManyValued(most)
      ? exploreMany(reading, bounded, [most, least as FewValued | undefined], steps) // `ordered` refuses two of many values
      : exploreFew(reading, { ...bounded, dimensions: dimensions as readonly [FewValued] }, steps), // neither has many values
    seriesOfSlices(reading.db, { ...all, ...range, byHour: steps.isHourly }, starts),
    previous && sumSlices(reading.db, { ...all, ...previous }, { order: "visits", limit: 1 }),
  ]);
  const series = seriesByRow(total, starts.length).get(keyOf("", "")) ?? starts.map(noVisits);
  const verdicts = noVisits();
  for (const step of series) add(verdicts, step);
  return {
    ...range,
    starts,
    stepHours: hours,
    rows: isTurned ? rows.map((row) => ({ ...row, values: row.values.toReversed() })) : rows,
    rowCount,
    total: { verdicts, series, previous: before && (before.rows[0] ?? { ...emptyRow }) },
    wholeFrom,
  };
}

const emptyRow: SliceRow = { first: "", second: "", ...noVisits() };
