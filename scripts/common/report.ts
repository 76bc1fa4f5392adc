const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** The quantile at `share` of some numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const ascending = sorted(numbers);
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? Number.NaN;
}

/** The middle number, or the mean of the two middle ones. */
export function median(numbers: readonly number[]): number {
  const ascending = sorted(numbers);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? Number.NaN) + upper) / 2;
}

type Cell = string | number | undefined;

/**
 * A text table with column widths fitted to the longest cell; the first column is left-aligned, the others
 * right-aligned.
 */
export function textTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map((cell) => String(cell ?? "-")));
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2)))
      .join(""),
  );
}

const markdownRow = (row: readonly Cell[]) => `| ${row.join(" | ")} |`;

export const markdownTable = (head: readonly Cell[], rows: readonly (readonly Cell[])[]): string[] => [
  markdownRow(head),
  `|${"---|".repeat(head.length)}`,
  ...rows.map(markdownRow),
];

/** Messages of the checks that do not hold. */
export const failing = (checks: readonly (readonly [boolean, string])[]): string[] =>
  checks.flatMap(([holds, message]) => (holds ? [] : [message]));

type Outcome = {
  result: object;
  lines: () => string[];
  misses: readonly string[];
  /** Whether the command fails in any case, and not only with `--check`. */
  isBroken?: boolean;
};

/** Prints a command's result as JSON or text, with the limits missed; returns the exit code. */
export function printOutcome(
  values: { json?: boolean | undefined; check?: boolean | undefined },
  { result, lines, misses, isBroken = false }: Outcome,
): number {
  if (values.json) console.log(JSON.stringify({ ...result, misses }));
  else console.log(["", ...lines(), ...misses.map((miss) => `MISSED  ${miss}`)].join("\n"));
  return isBroken || (values.check && misses.length > 0) ? 1 : 0;
}
