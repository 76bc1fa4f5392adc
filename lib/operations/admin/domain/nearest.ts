/** Number of single-character changes between two texts. */
function distance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= second.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (first[i - 1] === second[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}

/** The known name that a mistyped one most likely means; nothing when none is close. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const cut = typed.slice(0, 60);
  const [best] = known
    .map((name) => ({ name, changes: distance(cut, name) }))
    .sort((first, second) => first.changes - second.changes);
  return best && best.changes <= Math.max(2, best.name.length / 3) ? best.name : undefined;
}
