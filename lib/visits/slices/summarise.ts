import { type Context, onReader } from "@/lib/platform/context";
import { seriesOfSlices, sumSlices, type Verdicts } from "@/lib/visits/visit-store";
import type { FewValued } from "./domain/dimensions";
import { type Range, rangeSteps } from "./domain/slice-range";
import { authorizeDimensions, noVisits, readableRange, shownValue, sumOf } from "./explore";

export type SummaryRow = { value: string; verdicts: Verdicts; visits: number; previous: number | undefined };
export type Summary = Range & {
  starts: Date[];
  stepHours: 1 | 6 | 24;
  /** Visits by verdict in each step. */
  steps: Verdicts[];
  total: Verdicts;
  /** Visits of the preceding range. Undefined unless all of it is counted and kept. */
  previous: { total: Verdicts; steps: number[] } | undefined;
  /** By dimension, most frequent values first. Places are absent for members who may not see them. */
  by: Partial<Record<FewValued, { rows: SummaryRow[]; values: number }>>;
  wholeFrom: Date | undefined;
  addressesVisible: boolean;
};

const SUMMARISED: readonly { dimension: FewValued; limit: number; order: "visits" | "attention" }[] = [
  { dimension: "reason", limit: 10, order: "attention" },
  { dimension: "rule", limit: 10, order: "attention" },
  { dimension: "surface", limit: 8, order: "visits" },
  { dimension: "country", limit: 40, order: "visits" },
  { dimension: "network", limit: 8, order: "visits" },
  { dimension: "browser", limit: 8, order: "visits" },
  { dimension: "system", limit: 8, order: "visits" },
];
const PLACES: readonly FewValued[] = ["country", "network"];

/**
 * Summarises a range for the overview: visits over time compared with the preceding range, and the most frequent values
 * of each dimension. Each of these is one bounded read of the slices.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function summariseVisits(
  context: Context,
  { workspaceId, ...asked }: Range & { workspaceId: string },
): Promise<Summary> {
  const access = await authorizeDimensions(context, workspaceId, []);
  const reading = onReader(context);
  const { range, wholeFrom, previous } = await readableRange(reading, workspaceId, asked);
  const { starts, hours } = rangeSteps(range);
  const ofRange = { workspaceId, ...range, byHour: hours < 24 };
  const shown = SUMMARISED.filter(({ dimension }) => access.canSeeAddresses || !PLACES.includes(dimension));
  const shiftMs = range.to.getTime() - range.from.getTime();
  const [series, before, ...lists] = await Promise.all([
    seriesOfSlices(reading.db, { ...ofRange, dimensions: [] }, starts),
    previous &&
      seriesOfSlices(
        reading.db,
        { ...ofRange, ...previous, dimensions: [] },
        starts.map((at) => new Date(at.getTime() - shiftMs)),
      ),
    ...shown.map(({ dimension, limit, order }) =>
      summariseBy(reading, { workspaceId, dimension, range, previous, limit, order }),
    ),
  ]);
  const steps = starts.map((_, index) => verdictsOf(series.filter(({ step }) => step === index)));
  return {
    ...range,
    starts,
    stepHours: hours,
    steps,
    total: verdictsOf(steps),
    previous: before && {
      total: verdictsOf(before),
      steps: starts.map((_, index) => sumOf(verdictsOf(before.filter(({ step }) => step === index)))),
    },
    by: Object.fromEntries(shown.map(({ dimension }, index) => [dimension, lists[index]])),
    wholeFrom,
    addressesVisible: access.canSeeAddresses,
  };
}

function verdictsOf(rows: readonly Verdicts[]): Verdicts {
  const sum = noVisits();
  for (const { passed, suspicious, deceptive } of rows) {
    sum.passed += passed;
    sum.suspicious += suspicious;
    sum.deceptive += deceptive;
  }
  return sum;
}

type By = {
  workspaceId: string;
  dimension: FewValued;
  range: Range;
  previous: Range | undefined;
  limit: number;
  order: "visits" | "attention";
};

async function summariseBy({ db }: Context, { workspaceId, dimension, range, previous, limit, order }: By) {
  const asked = { workspaceId, dimensions: [dimension] as const, byHour: false };
  const { rows, values } = await sumSlices(db, { ...asked, ...range }, { order, limit });
  const wanted = rows.map(({ first }) => [first, ""] as const);
  const before =
    previous && rows.length > 0
      ? (await sumSlices(db, { ...asked, ...previous, values: wanted }, { order: "visits", limit })).rows
      : undefined;
  const visitsBefore = new Map(before?.map((row) => [row.first, sumOf(row)]));
  return {
    values,
    rows: rows.map(({ first, passed, suspicious, deceptive }): SummaryRow => ({
      value: shownValue(dimension, first),
      verdicts: { passed, suspicious, deceptive },
      visits: passed + suspicious + deceptive,
      previous: before && (visitsBefore.get(first) ?? 0),
    })),
  };
}
