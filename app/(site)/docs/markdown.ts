import { OPERATIONS } from "@/lib/contract";
import { type ErrorCode, ERRORS } from "@/lib/contract/errors";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import { COMMON_ERRORS, type Operation } from "@/lib/contract/operation";
import { REASON_COPY } from "@/lib/contract/reasons";
import { REASONS } from "@/lib/contract/report";
import { readDocument } from "@/lib/interfaces/documents";
import { type Document, jsonSchema, type Listed, listFields, listOperations, listShapes } from "./_components/openapi";
import { EXPLANATIONS } from "./errors/explanations";
import { DOC_GROUPS, DOC_PAGES, READING_ORDER } from "./pages";

type Parameter = { name: string; in: string; required?: boolean; description?: string };
type Answer = { description?: string; content?: object };

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

const paragraphs = (parts: readonly (string | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;

/** Documents link to each other by file name. */
const toAddress = (markdown: string): string => markdown.replaceAll(/\]\(([\w-]+)\.md(?=[#)])/g, "](/docs/$1.md");

const composeIndex = (): string =>
  paragraphs([
    "# Documentation",
    ...DOC_GROUPS.flatMap((group) => [
      `## ${group}`,
      READING_ORDER.filter((page) => page.group === group)
        .map(({ href, title, summary }) => `- [${title}](${href}.md): ${summary}`)
        .join("\n"),
    ]),
  ]);

const composeReasons = (): string =>
  paragraphs([
    "# Reasons",
    "A Report has one verdict and the findings behind it. Each finding is a category and its own severity. Imprint explains and never recommends an action.",
    ...REASONS.flatMap((reason) => {
      const { text, harmlessCauses } = REASON_COPY[reason];
      return [`## ${reason}`, text, `Also seen with: ${harmlessCauses.join("; ")}.`];
    }),
  ]);

const operationsAnswering = (code: ErrorCode): string => {
  if (COMMON_ERRORS.some((common) => common === code)) return "By every operation.";
  const operations = OPERATIONS.filter((operation: Operation) => operation.errors.includes(code));
  return operations.map(({ method, path }) => `- \`${method} ${path}\``).join("\n");
};

function composeError(code: ErrorCode): string {
  const { status, message } = ERRORS[code];
  const { cause, remedy } = EXPLANATIONS[code];
  const where = operationsAnswering(code);
  return paragraphs([
    `# ${code}`,
    `Status ${status}. ${message}.`,
    `**Cause.** ${cause}`,
    `**What to do.** ${remedy}`,
    ...(where === "" ? [] : ["Answered:", where]),
  ]);
}

const composeErrors = async (): Promise<string> =>
  paragraphs([
    toAddress((await readDocument("errors.md")).trimEnd()),
    ERROR_CODES.map(
      (code) => `- ${ERRORS[code].status} [\`${code}\`](/docs/errors/${code}.md): ${ERRORS[code].message}`,
    ).join("\n"),
  ]);

function fieldLines(document: Document, schema: Parameters<typeof listFields>[1]): string {
  return listShapes(document, schema)
    .map(({ schema: shape, name }, index, shapes) => {
      const fields = listFields(document, shape).map(
        ({ path, type, isRequired, description }) =>
          `- \`${path}\` ${type}${isRequired ? "" : ", optional"}${description === "" ? "" : `: ${description}`}`,
      );
      const heading = shapes.length > 1 ? [`${index === 0 ? "Either" : "Or"} ${name ?? `shape ${index + 1}`}:`] : [];
      return [...heading, ...fields].join("\n");
    })
    .join("\n\n");
}

function composeOperation(document: Document, { method, path, operation }: Listed): string {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const credential = Object.keys(operation.security?.[0] ?? {})[0];
  const sent = operation.requestBody as { content?: object } | undefined;
  const body = jsonSchema(sent?.content);
  const answers = Object.entries<Answer>(operation.responses ?? {});
  const isAnswer = ([status]: readonly [string, Answer]) => Number(status) < 400 || status === "402";
  const codesOf = ({ content }: Answer) => {
    const json = (content as Record<string, { examples?: object } | undefined> | undefined)?.["application/json"];
    return Object.keys(json?.examples ?? {});
  };
  const errors = answers
    .filter((answer) => !isAnswer(answer))
    .flatMap(([status, answer]) => codesOf(answer).map((code) => `${status} \`${code}\``));
  return paragraphs([
    `## ${operation.summary ?? operation.operationId}`,
    `\`${method} ${path}\`, credential: ${credential ?? "none"}`,
    operation.description,
    ...(parameters.length === 0
      ? []
      : [
          "Parameters:",
          parameters
            .map(
              ({ name, in: place, required, description }) =>
                `- \`${name}\` in ${place}${required ? "" : ", optional"}: ${description ?? ""}`,
            )
            .join("\n"),
        ]),
    ...(body ? ["Body:", fieldLines(document, body)] : []),
    ...answers.filter(isAnswer).flatMap(([status, { description, content }]) => {
      const schema = jsonSchema(content);
      return [`Answer ${status}: ${description ?? ""}`, ...(schema ? [fieldLines(document, schema)] : [])];
    }),
    `Errors: ${errors.join(", ")}`,
  ]).trimEnd();
}

function composeApi(): string {
  const document = buildOpenApiDocument();
  return paragraphs([
    "# API reference",
    'The same as OpenAPI: [/openapi.json](/openapi.json). Errors are `{"error": {"code", "message"}}`; branch on the code.',
    ...listOperations(document).map((listed) => composeOperation(document, listed)),
  ]);
}

const COMPOSED: Readonly<Record<string, () => Promise<string>>> = {
  "/docs": () => Promise.resolve(composeIndex()),
  "/docs/api": () => Promise.resolve(composeApi()),
  "/docs/reasons": () => Promise.resolve(composeReasons()),
  "/docs/errors": composeErrors,
  ...Object.fromEntries(
    DOC_PAGES.map(({ slug, file }) => [`/docs/${slug}`, async () => toAddress(await readDocument(file))]),
  ),
  ...Object.fromEntries(ERROR_CODES.map((code) => [`/docs/errors/${code}`, () => Promise.resolve(composeError(code))])),
};

/** Rendered once per process; a failed attempt is retried. */
function once(compose: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= compose().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Every page of the documentation as Markdown, by its path without `.md`. */
export const MARKDOWN_PAGES: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(COMPOSED).map(([path, compose]) => [path, once(compose)]),
);
