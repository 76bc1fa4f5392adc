import type { buildOpenApiDocument } from "@/lib/contract/openapi";

export type Document = ReturnType<typeof buildOpenApiDocument>;
type PathItem = NonNullable<Document["paths"]>[string];
type OpenApiOperation = NonNullable<PathItem["get"]>;
export type SchemaOrRef = NonNullable<NonNullable<Document["components"]>["schemas"]>[string];
export type Schema = Exclude<SchemaOrRef, { $ref: string }>;

export type Listed = { method: string; path: string; operation: OpenApiOperation };

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** The operations of a document in the order of its paths. */
export const listOperations = (document: Document): Listed[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );

const isReference = (value: object): value is { $ref: string } => "$ref" in value;

/** The resolved schema, and its name if it is shared. */
export function resolveSchema(document: Document, schema: SchemaOrRef): { schema: Schema; name: string | undefined } {
  if (!isReference(schema)) return { schema, name: undefined };
  const name = schema.$ref.split("/").at(-1) ?? "";
  const found = document.components?.schemas?.[name];
  return found && !isReference(found) ? { schema: found, name } : { schema: {}, name };
}

/** JSON content of a request or response body. */
export function jsonSchema(content: object | undefined): SchemaOrRef | undefined {
  if (!content) return undefined;
  const json = (content as Record<string, { schema?: SchemaOrRef } | undefined>)["application/json"];
  return json?.schema;
}

/** The type of a schema in a few words, e.g. `array of Reason` or `"PASS" | "SUSPICIOUS"`. */
export function typeText(document: Document, given: SchemaOrRef): string {
  const { schema, name } = resolveSchema(document, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (name !== undefined && schema.enum === undefined) return name;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return [...new Set(parts.map((part) => typeText(document, part)))].join(" | ");
  if (schema.type === "array") return `array of ${schema.items ? typeText(document, schema.items) : "values"}`;
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  return schema.type ?? "any";
}

export type FieldRow = { path: string; type: string; isRequired: boolean; description: string };

/** Deeper objects are shared schemas or described in words. */
const MAX_DEPTH = 4;

/** The members of a union, or the schema itself. */
export function listShapes(
  document: Document,
  given: SchemaOrRef,
): { schema: SchemaOrRef; name: string | undefined }[] {
  const { schema, name } = resolveSchema(document, given);
  const parts = schema.anyOf ?? schema.oneOf;
  return parts ? parts.flatMap((part) => listShapes(document, part)) : [{ schema: given, name }];
}

/** Merges the rows of a field across several shapes: it is required only if it is required in each. */
function mergeRows(shapes: readonly (readonly FieldRow[])[]): FieldRow[] {
  const merged = new Map<string, FieldRow[]>();
  for (const row of shapes.flat()) merged.set(row.path, [...(merged.get(row.path) ?? []), row]);
  return [...merged].map(([path, rows]) => ({
    path,
    type: [...new Set(rows.map(({ type }) => type))].join(" | "),
    isRequired: rows.length === shapes.length && rows.every(({ isRequired }) => isRequired),
    description: [...new Set(rows.map(({ description }) => description))].filter(Boolean).join("; "),
  }));
}

/** The fields of an object schema, nested ones by dotted path; for a union, the fields of all its shapes. */
export function listFields(document: Document, given: SchemaOrRef, prefix = "", depth = 0): FieldRow[] {
  if (depth > MAX_DEPTH) return [];
  const shapes = listShapes(document, given).filter(({ schema }) => resolveSchema(document, schema).schema.properties);
  return mergeRows(shapes.map(({ schema }) => fieldsOfShape(document, schema, prefix, depth)));
}

function fieldsOfShape(document: Document, given: SchemaOrRef, prefix: string, depth: number): FieldRow[] {
  const { schema } = resolveSchema(document, given);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const path = `${prefix}${key}`;
    const inner = resolveSchema(document, property).schema;
    const items = inner.type === "array" && inner.items ? inner.items : undefined;
    const nested = items
      ? listFields(document, items, `${path}[].`, depth + 1)
      : listFields(document, property, `${path}.`, depth + 1);
    const row = {
      path,
      type: typeText(document, property),
      isRequired: schema.required?.includes(key) ?? false,
      description: inner.description ?? "",
    };
    return [row, ...nested];
  });
}
