import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { BROWSER_HEADERS, type Site, submissionBody } from "@/test/visits";

type Answer = { status: number; text: string; isRetriable: boolean };
type Step = "challenge" | "submission" | "delivery" | "reread";

/** A client's view of one request. */
export type Sample = { step: Step; atMs: number; tookMs: number; outcome: string };

const REQUEST_TIMEOUT_MS = 40_000;
/** Keeps each visitor's rate of visits below the limits of a key and of a client IP. */
const PAUSE_MS = 100;

function send(
  address: string,
  agent: Agent,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}${path}`, { method, agent, headers, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const isRetriable = response.headers["retry-after"] !== undefined;
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), isRetriable });
      });
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.once("error", reject);
    sent.end(body);
  });
}

type Options = {
  address: string;
  site: Site;
  /** Number of concurrent visitors; every other one keeps its connection alive. */
  count: number;
};

/**
 * Starts visitors that continuously submit, and whose Reports are read and re-read, until they are stopped. Records the
 * outcome of each request and the imprints that the service acknowledged.
 */
export function startVisitors({ address, site, count }: Options) {
  const samples: Sample[] = [];
  const acknowledged: string[] = [];
  const stopping = new AbortController();

  async function ask(step: Step, agent: Agent, parts: Parameters<typeof send>[2]): Promise<Answer> {
    const startedAt = performance.now();
    const record = (outcome: string) => {
      samples.push({ step, atMs: startedAt, tookMs: performance.now() - startedAt, outcome });
    };
    try {
      const answer = await send(address, agent, parts);
      record(answer.status === 503 && !answer.isRetriable ? "503 without Retry-After" : String(answer.status));
      return answer;
    } catch (error) {
      record(error instanceof Error ? error.message : String(error));
      return { status: 0, text: "", isRetriable: false };
    }
  }

  async function visitOnce(agent: Agent, headers: Record<string, string>): Promise<void> {
    const from = { ...BROWSER_HEADERS, ...headers, origin: site.origin };
    const issued = await ask("challenge", agent, {
      method: "POST",
      path: "/api/v1/imprints/challenge",
      headers: from,
      body: JSON.stringify({ environment_id: site.environmentId }),
    });
    if (issued.status !== 200) return;
    const { challenge, token } = JSON.parse(issued.text) as { challenge: string; token?: string };
    const body = submissionBody(site, { challenge, token });
    const submitted = await ask("submission", agent, { method: "POST", path: "/api/v1/imprints", headers: from, body });
    if (submitted.status !== 201) return;
    const { imprint } = JSON.parse(submitted.text) as { imprint: string };
    acknowledged.push(imprint);
    for (const step of ["delivery", "reread", "reread"] as const) {
      const path = `/api/v1/fingerprint/report/${imprint}`;
      await ask(step, agent, { method: "GET", path, headers: { "X-API-Key": site.apiKey } });
    }
  }

  async function run(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const address4 = `87.${128 + (index & 63)}.${(round >> 8) & 255}.${round & 255}`;
      await visitOnce(agent, { "X-Forwarded-For": address4 });
      await delay(PAUSE_MS);
    }
    agent.destroy();
  }

  const running = Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  return {
    samples,
    acknowledged,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Number of occurrences of each outcome, by step. */
export function countOutcomes(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { step, outcome } of samples) counts[`${step} ${outcome}`] = (counts[`${step} ${outcome}`] ?? 0) + 1;
  return counts;
}

/** The acknowledged imprints whose Report cannot be read. */
export async function findLost(address: string, site: Site, imprints: readonly string[]): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const lost: string[] = [];
  for (const imprint of imprints) {
    const parts = {
      method: "GET",
      path: `/api/v1/fingerprint/report/${imprint}`,
      headers: { "X-API-Key": site.apiKey },
    };
    let answer = await send(address, agent, parts);
    while (answer.status === 429) {
      await delay(PAUSE_MS);
      answer = await send(address, agent, parts);
    }
    if (answer.status !== 200) lost.push(imprint);
  }
  agent.destroy();
  return lost;
}
