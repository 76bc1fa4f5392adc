type Json = Record<string, unknown>;

/** Depth: `params`, and the objects directly in it, such as `arguments` and `_meta`. */
const LEVELS = 2;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function strip(value: Json, levels: number): Json {
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    kept.map(([name, member]) => [name, levels > 1 && isObject(member) ? strip(member, levels - 1) : member]),
  );
}

/**
 * Removes members that are `null` from the params of a request. Clients in many languages write `null` for omitted
 * members; the protocol gives it no other meaning there, and the library refuses it.
 */
export function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !("method" in message)) return message;
  const { params, ...rest } = message;
  if (params === undefined || params === null) return rest;
  return { ...rest, params: isObject(params) ? strip(params, LEVELS) : params };
}
