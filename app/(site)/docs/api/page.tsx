import { OPERATIONS } from "@/lib/contract";
import { readRendered, REQUEST_LANGUAGES } from "@/lib/interfaces/documents";
import { baseUrl } from "@/lib/platform/env";
import { Html } from "../_components/document";
import { ReferenceControls } from "../_components/reference-controls";

export const metadata = { title: "API reference", alternates: { types: { "text/markdown": "/docs/api.md" } } };

const LANGUAGES = Object.keys(REQUEST_LANGUAGES);

export default async function ApiReferencePage() {
  const { operations } = await readRendered();
  return (
    <article>
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
        <p>
          Every answer carries <code>X-Request-Id</code>, which names it in the logs of the service, and{" "}
          <code>Cache-Control: private, no-store</code>; answers of limited operations also{" "}
          <a href="/docs/limits#rates">
            <code>RateLimit-Policy</code> and <code>RateLimit</code>
          </a>
          . Other headers stand with the answer that has them.
        </p>
      </div>
      <ul className="my-6 flex flex-col gap-1">
        {OPERATIONS.map(({ id, method, path }) => (
          <li key={id}>
            <a href={`#${id}`} className="link font-mono text-xs break-all">
              {method} {path}
            </a>
          </li>
        ))}
      </ul>
      <ReferenceControls languages={LANGUAGES} />
      <Html html={operations} />
    </article>
  );
}
