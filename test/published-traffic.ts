import { readFileSync } from "node:fs";

import { type OpenApiDocument, readPublished, type SentRequest } from "./published-api";
import { recordExamples } from "./recorded-examples";
import { anAddress } from "./trials";
import { call } from "./visits";

export type Sent = { method?: string; headers?: Record<string, string>; body?: string; from?: string };

/** Requests to the operations in this process, each compared with the published document. */
export function publishedTraffic() {
  const published = readPublished(JSON.parse(readFileSync("docs/openapi.json", "utf8")) as OpenApiDocument);
  /** Every operation with every status that it has answered with. */
  const seen = new Set<string>();
  const faults: string[] = [];
  const examples = recordExamples();

  /** Sends one request and validates it, if it is accepted, and its answer by the published document. */
  async function ask(path: string, { method = "GET", headers = {}, body, from = anAddress() }: Sent = {}) {
    const request: SentRequest = { method, path, headers, body };
    const found = published.find(request);
    // Another method is refused for all operations of the path alike.
    const operations = found ? [found] : published.operationsAt(new URL(path, "http://host").pathname);
    const { id } = operations[0] ?? { id: path };
    const response = await call(path, { method, headers, body, address: from });
    const text = await response.text();
    const { status } = response;
    for (const each of operations) seen.add(`${each.id} ${status}`);
    const isAccepted = status < 300 || status === 402;
    if (isAccepted) examples.add(id, { path, body, status, answer: text });
    faults.push(
      ...(isAccepted ? published.requestFaults(id, request) : []).map((fault) => `${id} takes: ${fault}`),
      ...published
        .answerFaults(id, { status, headers: response.headers, text })
        .map((fault) => `${id} ${status}: ${fault}`),
    );
    return { status, headers: response.headers, body: JSON.parse(text) as Record<string, unknown> };
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}, from = anAddress()) =>
    ask(path, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body), from });
  const withKey = (path: string, apiKey: string, headers: Record<string, string> = {}) =>
    ask(path, { headers: { "x-api-key": apiKey, ...headers } });

  return { published, ask, post, withKey, seen, faults, saveExamples: () => examples.save() };
}
