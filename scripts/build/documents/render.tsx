import { renderToStaticMarkup } from "react-dom/server";

import { EXPLANATIONS } from "@/app/(site)/docs/errors/explanations";
import { SERVED_FILES } from "@/app/(site)/docs/pages";
import { mcpSnippets } from "@/app/(console)/w/[workspaceId]/connect/_components/mcp-clients";
import { listOperations } from "@/app/(site)/docs/_components/openapi";
import { type OperationExamples, OperationReference } from "@/app/(site)/docs/_components/operation-reference";
import { OPERATIONS } from "@/lib/contract";
import { exampleOf } from "@/lib/contract/examples";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import type { Operation } from "@/lib/contract/operation";
import {
  type Code,
  PLACEHOLDERS,
  readDocumentSource,
  readSampleSource,
  type Rendered,
  REQUEST_LANGUAGES,
  type RequestLanguage,
  requestSample,
  type SampleFile,
  SAMPLES,
} from "@/lib/interfaces/documents";
import { renderCode, renderDocument, renderText } from "./markdown";

/** Creates an object from its keys, computing the values sequentially. */
async function mapKeys<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Promise<Value> | Value) {
  const made: [Key, Value][] = [];
  for (const key of keys) made.push([key, await make(key)]);
  return Object.fromEntries(made) as Record<Key, Value>;
}

async function renderSample(file: SampleFile): Promise<Code> {
  const { name, language } = SAMPLES[file];
  return renderCode({ title: name, language, code: (await readSampleSource(file)).trimEnd() });
}

/** The request of an operation in each language, and the service's responses. */
async function renderExamples({ id, method, security }: Operation): Promise<OperationExamples> {
  const example = exampleOf(id);
  if (!example) return { requests: [], answers: [] };
  const { path, body, answers } = example;
  // Requests of a page are made by the browser component.
  const languages = security === "origin" ? [] : (Object.keys(REQUEST_LANGUAGES) as RequestLanguage[]);
  return {
    requests: await Promise.all(
      languages.map((title) =>
        renderCode({
          title,
          language: REQUEST_LANGUAGES[title],
          code: requestSample(title, { method, path, security, body }),
        }),
      ),
    ),
    answers: await Promise.all(
      Object.entries(answers).map(([status, answer]) =>
        renderCode({ title: `Answer ${status}`, language: "json", code: JSON.stringify(answer, undefined, 2) }),
      ),
    ),
  };
}

async function renderOperations(): Promise<string> {
  const document = buildOpenApiDocument();
  const examples = await mapKeys(
    OPERATIONS.map(({ id }) => id),
    (wanted) => renderExamples(OPERATIONS.find(({ id }) => id === wanted) as Operation),
  );
  return renderToStaticMarkup(
    <>
      {listOperations(document).map((listed) => {
        const id = listed.operation.operationId as keyof typeof examples;
        return <OperationReference key={id} document={document} listed={listed} examples={examples[id]} />;
      })}
    </>,
  );
}

/** All parts of the documentation that are the same for each request. */
export async function renderDocuments(): Promise<Rendered> {
  return {
    documents: await mapKeys(SERVED_FILES, async (file) => renderDocument(await readDocumentSource(file))),
    samples: await mapKeys(Object.keys(SAMPLES) as SampleFile[], renderSample),
    mcpClients: await Promise.all(
      mcpSnippets(`${PLACEHOLDERS.baseUrl}/mcp`).map(({ name, ...rest }) => renderCode({ title: name, ...rest })),
    ),
    errors: await mapKeys(Object.keys(EXPLANATIONS), (code) => {
      const { cause, remedy } = EXPLANATIONS[code as keyof typeof EXPLANATIONS];
      return { cause: renderText(cause), remedy: renderText(remedy) };
    }),
    operations: await renderOperations(),
  };
}
