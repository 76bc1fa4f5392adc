type Json = Record<string, unknown>;

/** The params, and the objects among them, such as `arguments` and `_meta`. */
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
 * The params of a request without members that are `null`, which clients in many languages write for what is not given.
 * The protocol has no other meaning for it there, and its library refuses it.
 */
export function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !("method" in message)) return message;
  const { params, ...rest } = message;
  if (params === undefined || params === null) return rest;
  return { ...rest, params: isObject(params) ? strip(params, LEVELS) : params };
}
