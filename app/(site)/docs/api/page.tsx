import { listOperations } from "@/components/docs/openapi";
import { OperationReference } from "@/components/docs/operation-reference";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import { baseUrl } from "@/lib/env";

export const metadata = { title: "API reference" };

export default function ApiReferencePage() {
  const document = buildOpenApiDocument();
  const operations = listOperations(document);
  return (
    <article className="max-w-220">
      <div className="prose">
        <h1>API reference</h1>
        <p>
          Rendered from the definitions that validate every request and answer. Base address: <code>{baseUrl()}</code>.
          The same as a file: <a href="/openapi.json">openapi.json</a>.
        </p>
        <p>
          Secret keys travel in <code>X-API-Key</code> and only from servers. Objects are closed: fields that are not
          listed here are neither accepted nor returned.
        </p>
      </div>
      <ul className="my-6 flex flex-col gap-1">
        {operations.map(({ method, path, operation }) => (
          <li key={operation.operationId}>
            <a href={`#${operation.operationId ?? ""}`} className="link font-mono text-xs break-all">
              {method} {path}
            </a>
          </li>
        ))}
      </ul>
      {operations.map((listed) => (
        <OperationReference key={listed.operation.operationId} document={document} listed={listed} />
      ))}
    </article>
  );
}
