type Slice = { slice: number; used: number; limit: number | null; planUnits: number | null };

/** What to do when a slice had no room: try a certain one, divide the plan's units anew, or refuse. */
export type NextStep = { kind: "try"; slice: number } | { kind: "divide" } | { kind: "refuse" };

/** Decides over the slices of a period as they were seen, for a plan of `planUnits`; null is a plan without a limit. */
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
