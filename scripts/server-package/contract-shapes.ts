import { z } from "zod";

import { ERRORS } from "@/lib/contract/errors";
import { History } from "@/lib/contract/history";
import { Report } from "@/lib/contract/report";

/** The subset of JSON Schema that the contract's responses use. */
export type Shape = {
  $ref?: string;
  $defs?: Record<string, Shape>;
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: readonly string[];
  description?: string;
  pattern?: string;
};

/** Schemas that the package uses, by name; dependencies come first. */
export function contractShapes(): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const add = (name: string, all: Record<string, Shape>) => {
    const shape = all[name];
    if (!shape || shapes.has(name)) return;
    for (const [, inner = ""] of JSON.stringify(shape).matchAll(/"#\/\$defs\/(\w+)"/g))
      if (inner !== name) add(inner, all);
    shapes.set(name, shape);
  };
  for (const schema of [Report, History]) {
    const { $defs = {} } = z.toJSONSchema(schema) as Shape;
    for (const name of Object.keys($defs)) add(name, $defs);
  }
  return shapes;
}

export const errorCodes = (): string[] => Object.keys(ERRORS);

/** The name in a reference; undefined for an inline schema. */
export const nameOf = ({ $ref }: Shape): string | undefined => $ref?.replace("#/$defs/", "");

export const IMPRINT_SHAPE = "Imprint";

/** @throws Error for a schema feature that no response of the contract has used so far */
export const unknownShape = (shape: Shape): never => {
  throw new Error(`The type generator does not support ${JSON.stringify(shape)}`);
};
