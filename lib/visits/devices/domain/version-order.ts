/** Compares two dotted versions numerically. 0 if either is unknown. */
export function dottedOrder(one: string, other: string): number {
  if (one === "" || other === "") return 0;
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index += 1) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return Number.isNaN(difference) ? 0 : difference;
  }
  return 0;
}
