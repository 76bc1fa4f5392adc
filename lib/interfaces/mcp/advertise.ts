import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = Record<string, unknown>;

/** Keys that have no meaning for clients of the protocol. */
const LEFT_OUT = new Set(["$defs", "$schema", "id", "example"]);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Inlines references, which not every client resolves. */
function inline(node: unknown, parts: Json): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, parts));
  if (!isObject(node)) return node;
  const { $ref: reference, ...own } = node;
  const named = typeof reference === "string" ? parts[reference.replace("#/$defs/", "")] : undefined;
  const whole: Json = isObject(named) ? { ...named, ...own } : own;
  // The pattern of an instant is 300 characters long and equivalent to the format.
  const dropsPattern = whole["format"] === "date-time" || whole["format"] === "date";
  const kept = Object.entries(whole).filter(
    ([name, value]) =>
      !LEFT_OUT.has(name) && !(dropsPattern && name === "pattern") && value !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "properties" ? inlineEach(value, parts) : inline(value, parts)]),
  );
}

/** The keys of a map of properties are names, not keywords. */
const inlineEach = (properties: unknown, parts: Json): Json =>
  Object.fromEntries(Object.entries(properties as Json).map(([name, value]) => [name, inline(value, parts)]));

const known = new WeakMap<z.ZodType, Json>();

/** The schema of a tool's arguments or answer; they are few and live as long as the process. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const document = known.get(schema) ?? (z.toJSONSchema(schema, { io: "input" }) as Json);
  known.set(schema, document);
  return inline(document, isObject(document["$defs"]) ? document["$defs"] : {}) as Json;
}

/** Fields with their types, and the fields of objects: clients give the list of tools to the model at every turn. */
function outlineOf(schema: Json, depth = 1): Json {
  const { type, description, properties } = schema;
  const told = { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
  if (!isObject(properties) || depth === 0) return told;
  const fields = Object.entries(properties).map(([name, field]) => [name, outlineOf(field as Json, depth - 1)]);
  return { ...told, properties: Object.fromEntries(fields) as Json };
}

type Use = {
  /** Otherwise the caller validates, and refuses in the envelope of the API. */
  isChecked: boolean;
  /** Whether its outline is all that is told. */
  isOutlined: boolean;
};

/** A schema for the protocol library, advertised to clients in a short form. */
export function advertise<T>(
  schema: z.ZodType<T>,
  { isChecked, isOutlined }: Use,
): StandardSchemaWithJSON<unknown, unknown> {
  const whole = jsonSchemaOf(schema);
  const json = isOutlined ? outlineOf(whole) : whole;
  return {
    "~standard": {
      version: 1,
      vendor: "imprint",
      validate(value) {
        if (!isChecked) return { value };
        const result = schema.safeParse(value);
        return result.success
          ? { value: result.data }
          : { issues: result.error.issues.map(({ message }) => ({ message })) };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
