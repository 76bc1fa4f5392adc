import { Fragment, type ReactNode } from "react";

import { Chip } from "@/components/ui/chip";
import { FieldTable } from "./field-table";
import {
  type Document,
  type FieldRow,
  jsonSchema,
  type Listed,
  listFields,
  listShapes,
  resolveSchema,
  type SchemaOrRef,
  typeText,
} from "./openapi";

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: SchemaOrRef };
type Answer = { description?: string; content?: object; headers?: Record<string, { description?: string }> };

/** Headers of every response, or of every response of a limited operation. */
const COMMON_HEADERS = new Set(["X-Request-Id", "Cache-Control", "RateLimit-Policy", "RateLimit"]);

const CREDENTIAL: Record<string, string> = { apiKey: "X-API-Key", claimToken: "Bearer claim token" };

function Heading({ children }: { children: ReactNode }) {
  return <h3 className="mt-5 mb-2 font-semibold">{children}</h3>;
}

function parameterRows(document: Document, parameters: readonly Parameter[]): FieldRow[] {
  return parameters.map(({ name, in: place, required, description, schema }) => ({
    path: name,
    type: `${schema ? typeText(document, schema) : "string"}, in ${place}`,
    isRequired: required ?? false,
    description: description ?? "",
  }));
}

/** A success, or the 402 with the terms that a client pays. */
const isAnswer = (status: string) => Number(status) < 400 || status === "402";

/** The error codes of a response are the keys of its examples. */
function codesOf(answer: Answer): string[] {
  const json = (answer.content as Record<string, { examples?: object } | undefined> | undefined)?.["application/json"];
  return Object.keys(json?.examples ?? {});
}

/** The fields of a body, one table for each possible shape. */
function Shapes({ document, schema, label }: { document: Document; schema: SchemaOrRef; label: string }) {
  const shapes = listShapes(document, schema);
  return (
    <div className="flex flex-col gap-2">
      {shapes.map((shape, index) => {
        const fields = listFields(document, shape.schema);
        const { description } = resolveSchema(document, shape.schema).schema;
        const name = shape.name ?? `shape ${index + 1}`;
        return (
          <Fragment key={name}>
            {shapes.length > 1 ? (
              <h4 className="mt-2 text-fg-muted">
                {index === 0 ? "Either" : "or"} <span className="font-mono text-xs">{name}</span>
              </h4>
            ) : null}
            {description === undefined ? null : <p className="text-fg-muted">{description}</p>}
            {fields.length > 0 ? (
              <FieldTable label={shapes.length > 1 ? `${label}, ${name}` : label} fields={fields} />
            ) : null}
          </Fragment>
        );
      })}
    </div>
  );
}

/** Common response headers are described once, above the operations. */
function HeaderFacts({ headers }: { headers: NonNullable<Answer["headers"]> }) {
  const own = Object.entries(headers).filter(([name]) => !COMMON_HEADERS.has(name));
  if (own.length === 0) return null;
  return (
    <dl className="mt-2 flex flex-col gap-1">
      {own.map(([name, { description }]) => (
        <div key={name} className="flex flex-wrap gap-x-3">
          <dt className="font-mono text-xs leading-5">{name}</dt>
          <dd className="text-fg-muted">{description}</dd>
        </div>
      ))}
    </dl>
  );
}

function Answers({ document, answers }: { document: Document; answers: readonly (readonly [string, Answer])[] }) {
  return answers.map(([status, answer]) => {
    const schema = jsonSchema(answer.content);
    const label = `Answer ${status}`;
    return (
      <div key={status}>
        <Heading>
          {label} <span className="font-normal text-fg-muted">{answer.description}</span>
        </Heading>
        {schema ? <Shapes document={document} schema={schema} label={label} /> : null}
        <HeaderFacts headers={answer.headers ?? {}} />
      </div>
    );
  });
}

function Failures({ answers }: { answers: readonly (readonly [string, Answer])[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {answers.map(([status, answer]) => (
        <li key={status} className="flex flex-wrap gap-x-3">
          <span className="w-8 shrink-0 leading-6 text-fg-muted">{status}</span>
          <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
            {codesOf(answer).map((code) => (
              <a key={code} href={`/docs/errors/${code}`} className="link font-mono text-xs leading-6">
                {code}
              </a>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Highlighted by the build. */
type ColouredCode = { title: string; html: string };
export type OperationExamples = { requests: readonly ColouredCode[]; answers: readonly ColouredCode[] };

const DEFAULT_LANGUAGE = "curl";

function Example({ title, html, label }: ColouredCode & { label: string }) {
  return (
    <div className="flex min-w-0 items-start rounded-md border bg-surface-2">
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="max-h-80 min-w-0 flex-1 overflow-auto py-3 pl-4 font-mono text-xs leading-4.75"
      >
        <code dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
      <button
        type="button"
        data-copy
        hidden
        title={`Copy: ${title}`}
        className="m-1.5 rounded-md px-2 py-1 text-xs text-fg-muted hover:text-fg"
      >
        Copy
      </button>
    </div>
  );
}

/** A request in each language, of which the page shows one, and the recorded response. */
function Examples({ examples, summary }: { examples: OperationExamples; summary: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 self-start xl:sticky xl:top-6">
      {examples.requests.map(({ title, html }) => (
        <div key={title} data-language={title} hidden={title !== DEFAULT_LANGUAGE}>
          <Example title={title} html={html} label={`${summary}: ${title}`} />
        </div>
      ))}
      {examples.answers.map(({ title, html }) => (
        <div key={title}>
          <p className="mb-1 text-xs text-fg-muted">{title}</p>
          <Example title={title} html={html} label={`${summary}: ${title}`} />
        </div>
      ))}
    </div>
  );
}

type Props = { document: Document; listed: Listed; examples: OperationExamples };

/** One operation: credential, parameters, body, responses, errors; next to them a request and its responses. */
export function OperationReference({ document, listed, examples }: Props) {
  return (
    <section
      aria-labelledby={listed.operation.operationId}
      className="grid gap-x-10 gap-y-6 border-t py-8 xl:grid-cols-[minmax(0,11fr)_minmax(0,9fr)]"
    >
      <OperationFacts document={document} listed={listed} />
      <Examples examples={examples} summary={listed.operation.summary ?? ""} />
    </section>
  );
}

function OperationFacts({ document, listed }: Omit<Props, "examples">) {
  const { method, path, operation } = listed;
  const parameters = (operation.parameters ?? []) as Parameter[];
  const body =
    operation.requestBody && "content" in operation.requestBody ? jsonSchema(operation.requestBody.content) : undefined;
  const answers = Object.entries(operation.responses ?? {});
  const credential = Object.keys(operation.security?.[0] ?? {})[0];
  return (
    <div className="min-w-0">
      <h2 id={operation.operationId} className="text-base font-semibold">
        {operation.summary}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-2 font-mono text-xs">
        <span className="rounded-sm bg-surface-2 px-1.5 py-0.5 font-medium">{method}</span>
        <span className="break-all">{path}</span>
        <Chip className="font-sans">{credential ? (CREDENTIAL[credential] ?? credential) : "no credential"}</Chip>
      </p>
      <p className="mt-2 max-w-176">{operation.description}</p>
      {parameters.length > 0 ? (
        <>
          <Heading>Parameters</Heading>
          <FieldTable label={`Parameters of ${path}`} fields={parameterRows(document, parameters)} />
        </>
      ) : null}
      {body ? (
        <>
          <Heading>Body</Heading>
          <Shapes document={document} schema={body} label={`Body of ${path}`} />
        </>
      ) : null}
      <Answers document={document} answers={answers.filter(([status]) => isAnswer(status))} />
      <Heading>Errors</Heading>
      <Failures answers={answers.filter(([status]) => !isAnswer(status))} />
    </div>
  );
}
