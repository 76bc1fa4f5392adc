type Slice = { slice: number; used: number; limit: number | null; planUnits: number | null };

/** The next step if a slice is full: try another one, divide the plan's units again, or refuse. */
export type NextStep = { kind: "try"; slice: number } | { kind: "divide" } | { kind: "refuse" };

/** Decides from a snapshot of a period's slices, for a plan of `planUnits`; null for a plan without a limit. */
export function nextStep(slices: readonly Slice[], planUnits: number | null, sliceCount: number): NextStep {
  const isCurrent = slices.length === sliceCount && slices.every((each) => each.planUnits === planUnits);
  if (!isCurrent) return { kind: "divide" };
  const used = slices.reduce((sum, each) => sum + each.used, 0);
  if (planUnits !== null && used >= planUnits) return { kind: "refuse" };
  const room = (each: Slice) => (each.limit ?? Number.POSITIVE_INFINITY) - each.used;
  const [first, ...rest] = slices;
  const best = first && rest.reduce((most, each) => (room(each) > room(most) ? each : most), first);
  return best && room(best) > 0 ? { kind: "try", slice: best.slice } : { kind: "divide" };
}
