const PLAIN: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/** Whether the driver can serialise a value without calling its methods. */
const isWritable = (value: unknown): boolean =>
  PLAIN.has(typeof value) ||
  value === null ||
  value instanceof Uint8Array ||
  (Array.isArray(value) && value.every(isWritable));

const nameOf = (value: unknown): string => (value instanceof Date ? "a Date" : `of type ${typeof value}`);

/**
 * Refuses parameters that the driver cannot serialise. postgres 3.4.9 fails only while writing them: it counts the
 * query as sent although it was not, and assigns each later result on the connection to the query before. So only plain
 * values may reach it.
 */
export function refuseUnwritable(parameters: readonly unknown[] | undefined): TypeError | undefined {
  if (parameters === undefined) return undefined;
  for (const [index, value] of parameters.entries())
    if (!isWritable(value))
      return new TypeError(`parameter ${index + 1} of a query is ${nameOf(value)}, not a plain value`);
  return undefined;
}
