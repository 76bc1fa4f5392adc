import { expect } from "vitest";

import { anAddress } from "./trials";
import { recordExamples } from "./recorded-examples";
import type { readPublished, SentRequest } from "./published-api";
import { call, CHROME_USER_AGENT, type Site, submissionBody } from "./visits";

export type Sent = { method?: string; headers?: Record<string, string>; body?: string; from?: string };

/** Sends requests, and checks accepted requests and all responses against the published document. */
export function recordTraffic(published: ReturnType<typeof readPublished>) {
  /** Every operation with each status that occurred. */
  const seen = new Set<string>();
  const faults: string[] = [];
  const examples = recordExamples();

  async function ask(path: string, { method = "GET", headers = {}, body, from = anAddress() }: Sent = {}) {
    const request: SentRequest = { method, path, headers, body };
    const found = published.find(request);
    // An unknown method is refused in the same way by all operations of the path.
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

  async function visitOf(site: Pick<Site, "environmentId" | "origin">, from = anAddress()) {
    const headers = { origin: site.origin, "user-agent": CHROME_USER_AGENT };
    const issued = await post("/api/v1/imprints/challenge", { environment_id: site.environmentId }, headers, from);
    const { challenge, token } = issued.body as { challenge: string; token: string };
    const body = submissionBody(site as Site, { challenge, token });
    const submitted = await post("/api/v1/imprints", body, headers, from);
    return { body, imprint: String(submitted.body["imprint"]), headers };
  }

  return {
    seen,
    faults,
    ask,
    post,
    visitOf,
    saveExamples: () => examples.save(),
    withKey: (path: string, apiKey: string, headers: Record<string, string> = {}) =>
      ask(path, { headers: { "x-api-key": apiKey, ...headers } }),
  };
}

/** Sends requests until a limit is hit; fails the test if there is none. */
export async function untilLimited(again: () => Promise<{ status: number }>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 60 }, again));
  expect(answers.map(({ status }) => status)).toContain(429);
}
