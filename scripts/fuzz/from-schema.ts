import fc from "fast-check";

/** A JSON Schema as published in OpenAPI. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
};
type Resolve = (reference: string) => Schema;

const DEFAULT_LENGTH = 60;
const FORMATS: Record<string, fc.Arbitrary<string>> = {
  date: fc
    .date({ min: new Date("2025-01-01"), max: new Date("2027-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  "date-time": fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: fc.webUrl(),
};

/**
 * Lengths are in UTF-16 code units, as the service counts them; JSON Schema counts characters, which are never more.
 */
const text = (maxLength: number, minLength = 0) =>
  fc
    .oneof(fc.string({ maxLength }), fc.string({ unit: "grapheme", maxLength }))
    .map((value) => value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, ""))
    .filter((value) => value.length >= minLength);

function stringOf({ pattern, format, minLength, maxLength = DEFAULT_LENGTH }: Schema): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known) return known;
  if (pattern === undefined) return text(maxLength, minLength);
  const expression = new RegExp(pattern);
  // Fast-check does not generate surrogates from a pattern; its general strings match patterns that name them.
  if (pattern.includes("\\uD800")) return text(maxLength).filter((value) => expression.test(value));
  return fc.stringMatching(expression);
}

function numberOf({ type, minimum, maximum }: Schema): fc.Arbitrary<number> {
  if (type === "integer")
    return fc.integer({ min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER });
  const bounds = {
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
  };
  return fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true });
}

const made = new WeakMap<Schema, fc.Arbitrary<unknown>>();

/** Generates values that a schema accepts. */
export function arbitraryOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const known = made.get(schema) ?? makeArbitrary(schema, resolve);
  made.set(schema, known);
  return known;
}

function makeArbitrary(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const inner = (part: Schema) => arbitraryOf(part, resolve);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return fc.oneof(...variants.map(inner));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "string") return stringOf(schema);
  if (type === "number" || type === "integer") return numberOf({ ...schema, type });
  if (type === "boolean") return fc.boolean();
  if (type === "array") {
    if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(inner));
    return fc.array(inner(schema.items ?? {}), { maxLength: schema.maxItems ?? 5 });
  }
  if (!schema.properties) return fc.jsonValue();
  const fields = Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, inner(part)]));
  return fc.record(fields, { requiredKeys: schema.required ?? [] });
}
