import { REASON_BY_CODE, REFUSALS } from "@/packages/server/refusal";
import { version } from "@/packages/server/version.json";
import { contractShapes, errorCodes, IMPRINT_SHAPE, nameOf, type Shape, unknownShape } from "./contract-shapes";

const PRIMITIVES: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};
const KEYWORDS = new Set([
  "from",
  "class",
  "def",
  "in",
  "is",
  "not",
  "or",
  "and",
  "if",
  "for",
  "None",
  "True",
  "False",
]);
const isIdentifier = (key: string) => /^[a-z_]\w*$/i.test(key) && !KEYWORDS.has(key);

const pascal = (key: string) => key.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const text = (value: string) => JSON.stringify(value);
const comment = ({ description }: Shape) => (description === undefined ? "" : `    # ${description}\n`);

const LINE_LENGTH = 100;

function literal(values: readonly string[]): string {
  const line = `Literal[${values.map(text).join(", ")}]`;
  return line.length > LINE_LENGTH ? `Literal[\n${values.map((value) => `    ${text(value)},\n`).join("")}]` : line;
}

/** Generates types; nested object types are written before the type that contains them. */
class PythonTypes {
  readonly definitions: string[] = [];

  typeOf(shape: Shape, name: string): string {
    const known = nameOf(shape);
    if (known !== undefined) return known;
    if (shape.enum) return literal(shape.enum);
    if (shape.anyOf) return `Union[${shape.anyOf.map((part) => this.typeOf(part, name)).join(", ")}]`;
    if (shape.items) return `List[${this.typeOf(shape.items, name.replace(/s$/, ""))}]`;
    if (!shape.properties) return PRIMITIVES[shape.type ?? ""] ?? unknownShape(shape);
    this.#define(name, shape);
    return name;
  }

  add(name: string, shape: Shape): void {
    const type = this.typeOf(shape, name);
    if (type !== name) this.definitions.push(`${name} = ${type}\n`);
  }

  #define(name: string, { properties = {}, required = [], description }: Shape): void {
    const fields = Object.entries(properties).map(([key, field]) => ({
      key,
      field,
      type: this.typeOf(field, `${name}${pascal(key)}`),
      isRequired: required.includes(key),
    }));
    const docs = description === undefined ? "" : `    """${description}"""\n\n`;
    if (!fields.every(({ key }) => isIdentifier(key))) {
      const entries = fields.map(({ key, type }) => `${text(key)}: ${type}`).join(", ");
      this.definitions.push(`${name} = TypedDict("${name}", {${entries}})\n`);
      return;
    }
    const linesOf = (areRequired: boolean) =>
      fields
        .filter(({ isRequired }) => isRequired === areRequired)
        .map(({ key, field, type }) => `${comment(field)}    ${key}: ${type}\n`)
        .join("");
    const [always, sometimes] = [linesOf(true), linesOf(false)];
    if (always === "") {
      this.definitions.push(`class ${name}(TypedDict, total=False):\n${docs}${sometimes}`);
      return;
    }
    // Optional fields need a separate class: `NotRequired` was added in Python 3.11.
    if (sometimes !== "") this.definitions.push(`class _${name}Optional(TypedDict, total=False):\n${sometimes}`);
    this.definitions.push(`class ${name}(${sometimes === "" ? "TypedDict" : `_${name}Optional`}):\n${docs}${always}`);
  }
}

const dictionary = (name: string, type: string, entries: Partial<Record<string, string>>) =>
  `${name}: ${type} = {\n${Object.entries(entries)
    .map(([key, value = ""]) => `    ${text(key)}: ${text(value)},\n`)
    .join("")}}\n`;

/** The generated part of `imprint_server.py`. */
function pythonTypes(): string {
  const shapes = contractShapes();
  const types = new PythonTypes();
  for (const [name, shape] of shapes) types.add(name, shape);
  const codes = errorCodes();
  return [
    `__version__ = ${text(version)}\n`,
    ...types.definitions,
    `_IMPRINT_PATTERN = re.compile(r"${(shapes.get(IMPRINT_SHAPE)?.pattern ?? "").replace(/^\^/, "").replace(/\$$/, "")}")\n`,
    `# Every error.code of the service.\n_SERVICE_CODES = frozenset(\n    (\n${codes.map((code) => `        ${text(code)},\n`).join("")}    )\n)\n`,
    `RefusalReason = ${literal(Object.keys(REFUSALS))}\n`,
    dictionary("_REFUSALS", "Dict[str, str]", REFUSALS),
    dictionary("_REASON_BY_CODE", "Dict[str, str]", REASON_BY_CODE),
  ].join("\n\n");
}

const REGION =
  /(# Made from the contract by `npm run generate`; edits are lost\.\n)[\s\S]*?(\n# End of what is made from the contract\.\n)/;

/** Replaces the module's generated part. */
export function renewPython(source: string): string {
  if (!REGION.test(source)) throw new Error("imprint_server.py has lost the markers of its generated part");
  return source.replace(REGION, (_, begin: string, end: string) => `${begin}\n${pythonTypes()}${end}`);
}
