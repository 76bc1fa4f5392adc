import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { type RawAnswer, rawHead, sendRaw } from "./raw-request";
import { createSite, readReport, type RunningService, type Site, startService, visit } from "./service";

const { url: databaseUrl } = await createTestDatabase();
let service: RunningService;
let site: Site;
let other: Site;
let revokedKey: string;
let imprint: string;
let path: string;

beforeAll(async () => {
  service = await startService({ databaseUrl, environment: { TRUSTED_PROXIES: "loopback" } });
  [site, other] = [await createSite(service), await createSite(service)];
  const made = await service.admin("key", "create", "--workspace", site.workspaceId, "--name", "leaked");
  revokedKey = made["api_key"] ?? "";
  await service.admin("key", "revoke", "--workspace", site.workspaceId, "--key", made["key_id"] ?? "");
  imprint = await visit(service.url, site);
  path = `/api/v1/fingerprint/report/${imprint}`;
});
afterAll(() => service.stop());

let visitors = 0;

/** Sends one raw request from a distinct client IP. */
async function ask(method: string, target: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  visitors += 1;
  return sendRaw(service.port, rawHead(method, target, { "X-Forwarded-For": `203.0.113.${visitors}`, ...headers }));
}

const VARYING = ["date", "x-request-id", "ratelimit", "ratelimit-policy"];

/** The parts of a response by which two responses could be distinguished. */
const comparable = ({ status, headers, body }: RawAnswer) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING.includes(name))),
  body,
});

const envelope = ({ body }: RawAnswer) => {
  const parsed = JSON.parse(body) as { error: { code: string; message: string } };
  expect(Object.keys(parsed)).toEqual(["error"]);
  expect(Object.keys(parsed.error).sort()).toEqual(["code", "message"]);
  return parsed.error.code;
};

function expectErrorHeaders({ headers }: RawAnswer, code: string) {
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(headers["x-request-id"]).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers["link"]).toBe(`</docs/errors/${code}>; rel="help"`);
  expect(headers["access-control-allow-origin"]).toBeUndefined();
}

test("every request without a valid key in the right place gets the same 401", async () => {
  const wrongKey = site.apiKey.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  const answers = {
    "no key": await ask("GET", path),
    "an empty key": await ask("GET", path, { "X-API-Key": "" }),
    "in the query": await ask("GET", `${path}?api_key=${site.apiKey}&x-api-key=${site.apiKey}`),
    "as Bearer": await ask("GET", path, { Authorization: `Bearer ${site.apiKey}` }),
    "as Basic": await ask("GET", path, { Authorization: `Basic ${Buffer.from(`${site.apiKey}:`).toString("base64")}` }),
    "in a cookie": await ask("GET", path, { Cookie: `x-api-key=${site.apiKey}` }),
    "a wrong checksum": await ask("GET", path, { "X-API-Key": wrongKey }),
    "no key at all": await ask("GET", path, { "X-API-Key": "svc_live_nothing" }),
    "4 KiB": await ask("GET", path, { "X-API-Key": "a".repeat(4096) }),
    "two keys": await ask("GET", path, { "X-API-Key": `${site.apiKey}, ${site.apiKey}` }),
    revoked: await ask("GET", path, { "X-API-Key": revokedKey }),
    "an unknown imprint": await ask("GET", path.replace(/.{4}$/, "0000")),
    "a malformed imprint": await ask("GET", path.replace(/.{4}$/, "zz")),
  };
  const first = answers["no key"];
  expect([first.status, envelope(first)]).toEqual([401, "auth_failed"]);
  expectErrorHeaders(first, "auth_failed");
  for (const [name, answer] of Object.entries(answers)) expect(comparable(answer), name).toEqual(comparable(first));
});

test("another workspace's imprint is indistinguishable from an unknown or malformed one", async () => {
  const key = { "X-API-Key": other.apiKey };
  const foreign = await ask("GET", path, key);
  expect([foreign.status, envelope(foreign)]).toEqual([404, "report_not_found"]);
  expectErrorHeaders(foreign, "report_not_found");
  for (const target of [
    `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`,
    "/api/v1/fingerprint/report/imp_short",
    `/api/v1/fingerprint/report/${imprint.toUpperCase()}`,
    "/api/v1/fingerprint/report/%E0%A4%A",
    `/api/v1/fingerprint/report/${imprint}%00`,
    `/api/v1/fingerprint/report/${imprint.replace("imp_", "%69mp_")}`,
  ]) {
    expect(comparable(await ask("GET", target, key)), target).toEqual(comparable(foreign));
  }
});

test("a Report can be read any number of times with identical bytes, and matches the strict schema", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => ask("GET", path, { "X-API-Key": site.apiKey })));
  const [first] = answers;
  expect(first?.status).toBe(200);
  expect(Report.parse(JSON.parse(first?.body ?? "")).imprint).toBe(imprint);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(first?.headers["cache-control"]).toBe("private, no-store");
  expect(first?.headers["ratelimit"]).toMatch(/^"key";r=\d+;t=\d+$/);
});

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])(
  "%s on a Report gets 405",
  async (method) => {
    const answer = await ask(method, path, { "X-API-Key": site.apiKey });
    expect([answer.status, envelope(answer)]).toEqual([405, "method_not_allowed"]);
    expectErrorHeaders(answer, "method_not_allowed");
    expect(answer.headers["allow"]).toContain("GET");
  },
);

test.each([
  "/api",
  "/api/",
  "/api/v1",
  "/api/v2/fingerprint/report/x",
  "/api/v1/fingerprint/report",
  "/api/v1/fingerprint/report/",
  "/api//v1/imprints",
  "//api/v1/imprints",
  "/api/v1//imprints/challenge",
  "/api/v1/imprints/",
  "/api/v1/imprints/%E0%A4%A",
  "/api/%2e%2e%2fhealthz",
  "/%61pi/v1/imprints",
  "/API/../api/v1/none",
])("unknown path %s under the API gets 404 in the envelope", async (target) => {
  const answer = await ask("GET", target, { "X-API-Key": site.apiKey });
  expect([answer.status, envelope(answer)]).toEqual([404, "not_found"]);
  expectErrorHeaders(answer, "not_found");
});

test("the same visit has the same fields with a key of every plan", async () => {
  const fields: string[] = [];
  for (const plan of ["lite", "pro", "enterprise"]) {
    await service.admin("workspace", "set-plan", "--workspace", site.workspaceId, "--plan", plan);
    fields.push(await (await readReport(service.url, site.apiKey, imprint)).text());
  }
  expect(new Set(fields).size).toBe(1);
});
