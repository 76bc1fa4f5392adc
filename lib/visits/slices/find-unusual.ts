import { type Context, onReader } from "@/lib/platform/context";
import { REASONS, type Reason } from "@/lib/contract/report";
import { seriesOfSlices, sumSlices } from "@/lib/visits/visit-store";
import { HOUR_MS } from "@/lib/platform/calendar";
import { type Burst, findBursts } from "./domain/bursts";
import type { FewValued } from "./domain/dimensions";
import { authorizeDimensions, sumOf } from "./explore";

const RECENT_HOURS = 48;
const WEEKS = 5;
const HOURS = RECENT_HOURS + WEEKS * 168;
const MAX_BURSTS = 5;
const NEW_RULE_DAYS = 7;
const MIN_FIRED = 3;

/** Hours in which a reason, or all visits together, differ from the same hours of earlier weeks. */
export type Unusual = {
  reason: Reason | undefined;
  from: Date;
  to: Date;
  visits: number;
  usual: number;
  /** Where most of these visits were: the surface, and the network for members who may see it. */
  surface: { value: string; visits: number } | undefined;
  network: { value: string; visits: number } | undefined;
};
/** A rule that fired in the last 7 days but not in the 28 days before. */
export type NewRule = { rule: string; visits: number };

const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Hourly visits by value of the first dimension. */
function countsByKind(rows: readonly { step: number; first: string; visits: number }[]): Map<string, number[]> {
  const kinds = new Map<string, number[]>();
  for (const { step, first, visits } of rows) {
    const counts = kinds.get(first) ?? Array<number>(HOURS).fill(0);
    counts[step] = (counts[step] ?? 0) + visits;
    kinds.set(first, counts);
  }
  return kinds;
}

async function topOf(
  { db }: Context,
  workspaceId: string,
  { reason, from, to }: Pick<Unusual, "reason" | "from" | "to">,
  dimension: FewValued,
) {
  const range = { workspaceId, from, to, byHour: true };
  const { rows } =
    reason === undefined
      ? await sumSlices(db, { ...range, dimensions: [dimension] }, { order: "visits", limit: 1 })
      : await sumSlices(db, { ...range, dimensions: ["reason", dimension] }, { order: "visits", limit: 20 });
  const row = rows.find(({ first }) => reason === undefined || first === reason);
  if (!row) return undefined;
  const value = reason === undefined ? row.first : row.second;
  return value === "" ? undefined : { value, visits: sumOf(row) };
}

async function findNewRules({ db, now }: Context, workspaceId: string, firstAt: number): Promise<NewRule[]> {
  const end = new Date(hourOf(now.getTime()) + HOUR_MS);
  const start = new Date(end.getTime() - NEW_RULE_DAYS * 24 * HOUR_MS);
  const earlier = new Date(start.getTime() - 28 * 24 * HOUR_MS);
  // A younger workspace has nothing to compare with.
  if (firstAt > start.getTime() - 24 * HOUR_MS) return [];
  const asked = { workspaceId, dimensions: ["rule"] as const, byHour: false };
  const [fired, before] = await Promise.all([
    sumSlices(db, { ...asked, from: start, to: end }, { order: "visits", limit: 100 }),
    sumSlices(db, { ...asked, from: earlier, to: start }, { order: "visits", limit: 100 }),
  ]);
  const known = new Set(before.rows.map(({ first }) => first));
  return fired.rows
    .filter((row) => !known.has(row.first) && sumOf(row) >= MIN_FIRED)
    .map((row) => ({ rule: row.first, visits: sumOf(row) }));
}

/**
 * Finds hours of the last two days that differ from the weeks before, most unusual first, and rules that began to fire.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function findUnusual(context: Context, { workspaceId }: { workspaceId: string }) {
  const access = await authorizeDimensions(context, workspaceId, []);
  const reading = onReader(context);
  const { db, now } = reading;
  const to = hourOf(now.getTime()) + HOUR_MS;
  const from = to - HOURS * HOUR_MS;
  const starts = Array.from({ length: HOURS }, (_, hour) => new Date(from + hour * HOUR_MS));
  const range = { workspaceId, from: new Date(from), to: new Date(to), byHour: true };
  const [reasons, all] = await Promise.all([
    seriesOfSlices(db, { ...range, dimensions: ["reason"] }, starts),
    seriesOfSlices(db, { ...range, dimensions: [] }, starts),
  ]);
  const counted = (rows: typeof all) => countsByKind(rows.map((row) => ({ ...row, visits: sumOf(row) })));
  const kinds = [...counted(reasons), ...counted(all)].map(([kind, counts]) => ({ kind, counts }));
  const firstHour = Math.min(HOURS, ...all.map(({ step }) => step));
  const bursts = findBursts(kinds, { recent: RECENT_HOURS, firstHour }).slice(0, MAX_BURSTS);
  const unusual = await Promise.all(
    bursts.map(async (burst: Burst): Promise<Unusual> => {
      const reason = REASONS.find((each) => each === burst.kind);
      const where = { reason, from: new Date(from + burst.from * HOUR_MS), to: new Date(from + burst.to * HOUR_MS) };
      const [surface, network] = await Promise.all([
        topOf(reading, workspaceId, where, "surface"),
        access.canSeeAddresses ? topOf(reading, workspaceId, where, "network") : undefined,
      ]);
      return { ...where, visits: burst.visits, usual: burst.usual, surface, network };
    }),
  );
  return { unusual, newRules: await findNewRules(reading, workspaceId, from + firstHour * HOUR_MS) };
}
