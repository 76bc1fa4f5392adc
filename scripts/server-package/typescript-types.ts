import { contractShapes, errorCodes, IMPRINT_SHAPE, nameOf, type Shape, unknownShape } from "./contract-shapes";

const PRIMITIVES: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const comment = ({ description }: Shape, indent: string) =>
  description === undefined ? "" : `${indent}/** ${description} */\n`;

const LINE_LENGTH = 100;

function unionOf(members: readonly string[]): string {
  const line = members.join(" | ");
  return line.length > LINE_LENGTH ? members.map((member) => `\n  | ${member}`).join("") : line;
}

function typeOf(shape: Shape, indent = ""): string {
  const name = nameOf(shape);
  if (name !== undefined) return name;
  if (shape.enum) return unionOf(shape.enum.map((value) => JSON.stringify(value)));
  if (shape.anyOf) return shape.anyOf.map((part) => typeOf(part, indent)).join(" | ");
  if (shape.items) return `${inArray(typeOf(shape.items, indent))}[]`;
  if (!shape.properties) return PRIMITIVES[shape.type ?? ""] ?? unknownShape(shape);
  const inner = `${indent}  `;
  const fields = Object.entries(shape.properties).map(([key, field]) => {
    const isOptional = !shape.required?.includes(key);
    const spelled = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    const type = typeOf(field, inner);
    return `${comment(field, inner)}${inner}${spelled}${isOptional ? `?: ${type} | undefined` : `: ${type}`};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

const inArray = (type: string) => (type.includes(" | ") ? `(${type})` : type);

/** The contract's response types without a library, as published in `packages/server`. */
export function typescriptTypes(): string {
  const shapes = contractShapes();
  const types = [...shapes].map(([name, shape]) =>
    `${comment(shape, "")}export type ${name} = ${typeOf(shape)};\n`.replace("= \n", "=\n"),
  );
  return `/* Made from lib/contract by \`npm run generate\`; edits are lost. */

${types.join("\n")}
export const IMPRINT_PATTERN: RegExp = /${shapes.get(IMPRINT_SHAPE)?.pattern ?? ""}/;

/** Every \`error.code\` of the service. */
export const SERVICE_CODES = [
${errorCodes()
  .map((code) => `  "${code}",\n`)
  .join("")}] as const;
export type ServiceCode = (typeof SERVICE_CODES)[number];
`;
}
