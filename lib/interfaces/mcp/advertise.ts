import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = Record<string, unknown>;

/** Keys of our own documents that mean nothing to a client of the protocol. */
const LEFT_OUT = new Set(["$defs", "$schema", "id", "example"]);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema with named parts written out where they are used: not every client follows references. */
function writeOut(node: unknown, parts: Json): unknown {
  if (Array.isArray(node)) return node.map((each) => writeOut(each, parts));
  if (!isObject(node)) return node;
  const { $ref: reference, ...own } = node;
  const named = typeof reference === "string" ? parts[reference.replace("#/$defs/", "")] : undefined;
  const whole: Json = isObject(named) ? { ...named, ...own } : own;
  // The pattern of an instant is 300 characters long and says what the format says.
  const dropsPattern = whole["format"] === "date-time" || whole["format"] === "date";
  const kept = Object.entries(whole).filter(
    ([name, value]) =>
      !LEFT_OUT.has(name) && !(dropsPattern && name === "pattern") && value !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "properties" ? writeOutEach(value, parts) : writeOut(value, parts)]),
  );
}

/** A map of properties: its names are any, not keywords. */
const writeOutEach = (properties: unknown, parts: Json): Json =>
  Object.fromEntries(Object.entries(properties as Json).map(([name, value]) => [name, writeOut(value, parts)]));

/** JSON Schema of a value as clients of the protocol are told it. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const document = z.toJSONSchema(schema, { io: "input" }) as Json;
  return writeOut(document, isObject(document["$defs"]) ? document["$defs"] : {}) as Json;
}

/**
 * A schema as the protocol library takes it: told to clients in the short form.
 *
 * @param check `false` leaves the judgement to the caller, which refuses in the envelope of the API
 */
export function advertise<T>(schema: z.ZodType<T>, check: boolean): StandardSchemaWithJSON<unknown, unknown> {
  const json = jsonSchemaOf(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "imprint",
      validate(value) {
        if (!check) return { value };
        const result = schema.safeParse(value);
        return result.success
          ? { value: result.data }
          : { issues: result.error.issues.map(({ message }) => ({ message })) };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
