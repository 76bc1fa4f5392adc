import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = Record<string, unknown>;

/** Keys that mean nothing to MCP clients. */
const LEFT_OUT = new Set(["$defs", "$schema", "id", "example"]);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Inlines references, since not every client resolves them. */
function inline(node: unknown, parts: Json): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, parts));
  if (!isObject(node)) return node;
  const { $ref: reference, ...own } = node;
  const named = typeof reference === "string" ? parts[reference.replace("#/$defs/", "")] : undefined;
  const whole: Json = isObject(named) ? { ...named, ...own } : own;
  // A timestamp's pattern is 300 characters long and adds nothing to the format.
  const dropsPattern = whole["format"] === "date-time" || whole["format"] === "date";
  const kept = Object.entries(whole).filter(
    ([name, value]) =>
      !LEFT_OUT.has(name) && !(dropsPattern && name === "pattern") && value !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === "properties" ? inlineEach(value, parts) : inline(value, parts)]),
  );
}

/** The keys of `properties` are names, not keywords. */
const inlineEach = (properties: unknown, parts: Json): Json =>
  Object.fromEntries(Object.entries(properties as Json).map(([name, value]) => [name, inline(value, parts)]));

const known = new WeakMap<z.ZodType, Json>();

/** JSON Schema of a tool's arguments or answer. Cached without limit: the schemas are few and permanent. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const document = known.get(schema) ?? (z.toJSONSchema(schema, { io: "input" }) as Json);
  known.set(schema, document);
  return inline(document, isObject(document["$defs"]) ? document["$defs"] : {}) as Json;
}

/**
 * An outline of a schema: its fields with types and descriptions, down to one nested level. Kept short because clients
 * pass the tool list to the model on every turn.
 */
function outlineOf(schema: Json, depth = 1): Json {
  const { type, description, properties } = schema;
  const told = { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
  if (!isObject(properties) || depth === 0) return told;
  const fields = Object.entries(properties).map(([name, field]) => [name, outlineOf(field as Json, depth - 1)]);
  return { ...told, properties: Object.fromEntries(fields) as Json };
}

type Use = {
  /** Whether the library validates; otherwise the caller does, and refuses with the API's error envelope. */
  isChecked: boolean;
  /** Whether to advertise only the outline. */
  isOutlined: boolean;
};

/** A schema for the protocol library, in a short form for clients. */
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
