import { renderToStaticMarkup } from "react-dom/server";

import { EXPLANATIONS } from "@/app/(site)/docs/errors/explanations";
import { SERVED_FILES } from "@/app/(site)/docs/pages";
import { mcpSnippets } from "@/app/(console)/w/[workspaceId]/connect/_components/mcp-clients";
import { listOperations } from "@/app/(site)/docs/_components/openapi";
import { OperationReference } from "@/app/(site)/docs/_components/operation-reference";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import {
  type Code,
  PLACEHOLDERS,
  readDocumentSource,
  readSampleSource,
  type Rendered,
  type SampleFile,
  SAMPLES,
} from "@/lib/interfaces/documents";
import { renderCode, renderDocument, renderText } from "./markdown";

/** An object whose values are made one after the other from its keys. */
async function mapKeys<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Promise<Value> | Value) {
  const made: [Key, Value][] = [];
  for (const key of keys) made.push([key, await make(key)]);
  return Object.fromEntries(made) as Record<Key, Value>;
}

async function renderSample(file: SampleFile): Promise<Code> {
  const { name, language } = SAMPLES[file];
  return renderCode({ title: name, language, code: (await readSampleSource(file)).trimEnd() });
}

function renderOperations(): string {
  const document = buildOpenApiDocument();
  return renderToStaticMarkup(
    <>
      {listOperations(document).map((listed) => (
        <OperationReference key={listed.operation.operationId} document={document} listed={listed} />
      ))}
    </>,
  );
}

/** Everything of the documentation that is the same for each request. */
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
    operations: renderOperations(),
  };
}
