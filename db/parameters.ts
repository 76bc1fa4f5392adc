const PLAIN: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/** Whether the driver writes a value without running code of the value's own, and without finding that it can't. */
const isWritable = (value: unknown): boolean =>
  PLAIN.has(typeof value) ||
  value === null ||
  value instanceof Uint8Array ||
  (Array.isArray(value) && value.every(isWritable));

const nameOf = (value: unknown): string => (value instanceof Date ? "a Date" : `of type ${typeof value}`);

/**
 * Finds parameters that the driver cannot write. It notices those only while it writes: the query then counts as
 * sent although it never was, and each later answer on that connection goes to the query before, whoever's it is
 * (postgres 3.4.9). So nothing but plain values may reach it.
 *
 * @returns why they are refused, if they are
 */
export function refuseUnwritable(parameters: readonly unknown[] | undefined): TypeError | undefined {
  if (parameters === undefined) return undefined;
  for (const [index, value] of parameters.entries())
    if (!isWritable(value))
      return new TypeError(`parameter ${index + 1} of a query is ${nameOf(value)}, not a plain value`);
  return undefined;
}
