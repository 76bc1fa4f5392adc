import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";

import { type ImprintServerError, isImprintServerError } from "./error";
import { createImprintServer, type ImprintServer, type ImprintServerOptions, type Report } from "./index";

export const API_KEY = `svc_live_${"k".repeat(38)}`;
export const IMPRINT = "imp_019aa5de0c5b7a1e9f3b52c4d81f7bd4";
export const ORIGIN = "https://shop.example";

export const SAMPLE_REPORT: Report = {
  schema_version: "1.0",
  imprint: IMPRINT,
  created_at: "2026-11-23T06:00:00.000Z",
  device: { id: "dev_1", seen_before: false, access_count: 1, previous_seen_at: null },
  risk: { status: "PASS", reasons: [], findings: [] },
  browser: { status: "PASS" },
  operating_system: { status: "PASS" },
  network: { status: "PASS", ip_consistency: "MATCH", observed_ip: "203.0.113.7" },
};

export const HEADERS: Record<string, string> = {
  "Imprint-Delivery": "first",
  "Imprint-Surface": "sign-in",
  "Imprint-Origin": ORIGIN,
  "Imprint-Age": "12",
};

type Reply = { status?: number; headers?: Record<string, string>; body?: string };
/** Answers by itself when it returns nothing. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Reply | undefined;

export const replyReport = (headers: Record<string, string> = {}, report: object = SAMPLE_REPORT): Reply => ({
  headers: { "Content-Type": "application/json", ...HEADERS, ...headers },
  body: JSON.stringify(report),
});

export const replyError = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "Content-Type": "application/json", "X-Request-Id": "req_1", ...headers },
  body: JSON.stringify({ error: { code, message: `about ${code}` } }),
});

export type FakeService = { url: string; requests: IncomingMessage[]; close: () => Promise<void> };

/** A server in place of the service: the n-th request gets the n-th handler, those beyond the last one. */
export async function startFakeService(...handlers: readonly Handler[]): Promise<FakeService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const reply = handlers[Math.min(requests.length, handlers.length) - 1]?.(request, response);
    if (reply) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** With time enough for a machine that does much else; tests of deadlines name their own. */
export const clientOf = (endpoint: string, options: Partial<ImprintServerOptions> = {}): ImprintServer =>
  createImprintServer({ endpoint, apiKey: API_KEY, timeoutMs: 20_000, ...options });

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<ImprintServerError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isImprintServerError(error)) throw new Error(`It ended with ${inspect(error)}`);
  return error;
}
