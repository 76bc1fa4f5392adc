import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import next from "next";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { API_TABLE } from "@/app/api/table";
import { createTestDatabase } from "@/test/database";
import { createListener } from "@/lib/interfaces/http/server/listener";
import { CHROME_USER_AGENT, createSite, readReport, type Site, submissionBody, visit } from "@/test/visits";
import { ROOT } from "./process/service";

const { db } = await createTestDatabase();
const servers: Server[] = [];
let app: ReturnType<typeof next>;
let ours: string;
let plain: string;
let site: Site;
let imprint: string;

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "production");
  app = next({ dev: false, dir: ROOT });
  await app.prepare();
  plain = await listen((req, res) => void app.getRequestHandler()(req, res));
  ours = await listen(
    createListener({
      baseUrl: "http://localhost:3000",
      staticFiles: () => Promise.resolve(false),
      documents: {},
      markdown: {},
      identify: (req) => ({ address: undefined, isLocal: false, headers: { ...req.headers } }),
      table: API_TABLE,
      componentFiles: () => false,
      pages: () => Promise.reject(new Error("no page is asked for")),
      readiness: () => Promise.resolve({ status: "ready", version: "test", checks: {} }),
    }),
  );
  site = await createSite(db);
  ({ imprint } = await visit(site));
  await readReport(site.apiKey, imprint, { "x-account-ref": "42" });
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await app.close();
  vi.unstubAllEnvs();
});

/** Headers that vary by connection or time, and those that the server entry adds to every response. */
const APART = [
  ...["date", "connection", "keep-alive", "content-length", "content-encoding", "transfer-encoding"],
  ...["x-request-id", "ratelimit", "ratelimit-policy"],
  ...["x-content-type-options", "referrer-policy"],
];

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

async function ask(base: string, path: string, asked: Asked) {
  const response = await fetch(base + path, asked);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !APART.includes(name)));
  // Next lists the headers by which its own pages vary.
  const vary = headers["vary"]?.split(", ").filter((name) => !/^(rsc|next-|accept-encoding)/i.test(name));
  delete headers["vary"];
  // A second may pass between the two responses.
  if (headers["imprint-age"] !== undefined) headers["imprint-age"] = headers["imprint-age"].replace(/^\d+$/, "seconds");
  return {
    status: response.status,
    headers: { ...headers, ...(vary?.length && { vary: vary.join(", ") }) },
    requestId: response.headers.get("x-request-id"),
    body: await response.text(),
  };
}

test("a plain Next server responds to well-formed requests byte for byte like the server entry", async () => {
  const key = { "X-API-Key": site.apiKey };
  const report = `/api/v1/fingerprint/report/${imprint}`;
  const intent = `/api/v1/agent/trial-intents/ati_${"0".repeat(32)}`;
  const page = { method: "POST", headers: { Origin: site.origin, "User-Agent": CHROME_USER_AGENT } };
  const environment = JSON.stringify({ environment_id: site.environmentId });
  const challenged = await ask(ours, "/api/v1/imprints/challenge", { ...page, body: environment });
  const body = submissionBody(site, JSON.parse(challenged.body) as { challenge: string });
  const requests: [number, string, Asked][] = [
    [200, report, { headers: key }],
    [200, report, { headers: { ...key, "X-Account-Ref": "42" } }],
    [409, report, { headers: { ...key, "X-Account-Ref": "43" } }],
    [400, report, { headers: { ...key, "X-Account-Ref": "a@b.example" } }],
    [401, report, {}],
    [404, report.replace(/.{4}$/, "0000"), { headers: key }],
    [404, "/api/v1/fingerprint/report/imp_short", { headers: key }],
    [200, `/api/v1/fingerprint/imprint/${imprint}/history?days=7&recent=5`, { headers: key }],
    [400, `/api/v1/fingerprint/imprint/${imprint}/history?days=7&days=8`, { headers: key }],
    [400, `/api/v1/fingerprint/imprint/${imprint}/history?to=2026-01-01`, { headers: key }],
    [403, "/api/v1/agent/trial", { headers: key }],
    [200, "/api/v1/agent/products", {}],
    [400, "/api/v1/agent/trial-intents", { method: "POST", body: "{" }],
    [401, intent, {}],
    [404, intent, { headers: { Authorization: `Bearer ${"a".repeat(43)}` } }],
    [201, "/api/v1/imprints", { ...page, body }],
    [409, "/api/v1/imprints", { ...page, body: body.replace('"total":80', '"total":81') }],
    [400, "/api/v1/imprints", { ...page, body: JSON.stringify({ environment_id: site.environmentId, odd: 1 }) }],
    [403, "/api/v1/imprints", { ...page, headers: { Origin: "https://elsewhere.example" }, body }],
    [413, "/api/v1/imprints", { ...page, body: "a".repeat(17 * 1024) }],
    [404, "/api/v1/imprints/challenge", { ...page, body: environment.replace(/.{4}"}/, '0000"}') }],
  ];
  for (const [status, path, asked] of requests) {
    const [first, second] = [await ask(ours, path, asked), await ask(plain, path, asked)];
    const name = `${asked.method ?? "GET"} ${path}`;
    expect(first.status, name).toBe(status);
    for (const { requestId } of [first, second]) expect(requestId).toMatch(/^req_[0-9a-f]{32}$/);
    expect({ ...second, requestId: "" }, name).toEqual({ ...first, requestId: "" });
  }
});
