import { gzipSync } from "node:zlib";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages, runOn } from "@/test/browser";
import { createSite } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { listRefusedOrigins } from "@/lib/tenancy/web-apps";
import { startShop } from "./demo-process";
import { type RawAnswer, rawHead, sendRaw } from "./raw-request";
import {
  codeOf,
  readReport,
  requestChallenge,
  type RunningService,
  type Site,
  startService,
  storedOf,
  TEST_SECRETS,
  submissionBody,
  submit,
  visit,
} from "./service";

const NOTHING = { visits: 0, devices: 0, uses: 0, refused: 0 };
const SUBMIT = "/api/v1/imprints";
const LIMIT_BYTES = 16 * 1024;

const { db, url: databaseUrl } = await createTestDatabase();
let service: RunningService;
let site: Site;
let visitors = 0;

beforeAll(async () => {
  // Each test uses a different client IP, so that none hits another's limit.
  service = await startService({ databaseUrl, environment: { ...TEST_SECRETS, TRUSTED_PROXIES: "loopback" } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  site = await createSite(db);
  visitors += 1;
});

const address = () => ({ "X-Forwarded-For": `198.51.100.${visitors}` });
const challenge = () => requestChallenge(service.url, site, { headers: address() });
const errorOf = ({ body }: RawAnswer) => (JSON.parse(body) as { error: { code: string } }).error.code;

async function rawSubmit(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  origin: string | null = site.origin,
) {
  const bytes = Buffer.from(body);
  const head = rawHead("POST", SUBMIT, {
    ...address(),
    ...(origin === null ? {} : { Origin: origin }),
    ...(headers["Transfer-Encoding"] === undefined ? { "Content-Length": String(bytes.length) } : {}),
    ...headers,
  });
  return sendRaw(service.port, Buffer.concat([Buffer.from(head), bytes]));
}

const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

test("a page on a disallowed origin gets an error that names it, its form still works, and the feed counts it", async () => {
  const browser: Browser = await launchForPages();
  const shop = await startShop({
    IMPRINT_URL: service.url,
    IMPRINT_ENVIRONMENT_ID: site.environmentId,
    IMPRINT_KEY: site.apiKey,
  });
  const page = await browser.newPage();
  await page.goto(shop.url);
  const error = await runOn(page, { environmentId: site.environmentId });
  expect(error).toMatchObject({ name: "ImprintError", code: "origin_not_allowed", retryable: false });
  expect((error as { requestId: string }).requestId).toMatch(/^req_[0-9a-f]{32}$/);
  await page.getByRole("button", { name: "Sign in" }).click();
  expect(await page.locator("[data-action]").getAttribute("data-action")).toBe("second-step");

  const feed = await listRefusedOrigins(operatorContext(db), site);
  expect(feed).toMatchObject([{ origin: shop.url, count: 2, canBeAllowed: true }]);
  expect(await storedOf(db, site)).toEqual({ ...NOTHING, refused: 2 });

  await service.admin("origin", "add", "--web-app", site.webAppId, "--origin", shop.url);
  await page.goto(shop.url);
  expect(await runOn(page, { environmentId: site.environmentId })).toEqual({
    imprint: expect.stringMatching(/^imp_[0-9a-f]{32}$/) as string,
  });
  await Promise.all([browser.close(), shop.stop()]);
});

test.each([
  ["no Origin", null],
  ["the null Origin", "null"],
  ["an Origin that differs in its port", "https://shop.example:8443"],
  ["a longer Origin that starts with the allowed one", "https://shop.example.evil.test"],
])("a raw submission with %s gets 403 and stores nothing but its count", async (_name, origin) => {
  const answer = await rawSubmit(submissionBody(site, await challenge()), {}, origin);
  expect([answer.status, errorOf(answer)]).toEqual([403, "origin_not_allowed"]);
  expect(answer.headers["access-control-allow-origin"]).toBe(origin ?? undefined);
  expect(await storedOf(db, site)).toEqual({ ...NOTHING, refused: 1 });
});

test("a used challenge gets 409 with another body, and the same imprint with the identical body", async () => {
  const issued = await challenge();
  const body = submissionBody(site, issued);
  const first = await submit(service.url, site, body, address());
  const again = await submit(service.url, site, body, address());
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(await again.text()).toBe(await first.text());
  const other = await submit(service.url, site, submissionBody(site, issued, "elsewhere"), address());
  expect([other.status, await codeOf(other)]).toEqual([409, "challenge_used"]);
  expect(await storedOf(db, site)).toEqual({ visits: 1, devices: 1, uses: 1, refused: 0 });
});

test("a body of 17 KiB gets 413, with Content-Length or chunked; one at the limit is validated", async () => {
  const padded = (bytes: number) => submissionBody(site, { challenge: "a".repeat(40) }).padEnd(bytes);
  for (const answer of [
    await rawSubmit(padded(17 * 1024)),
    await rawSubmit(chunked(padded(17 * 1024)), { "Transfer-Encoding": "chunked" }),
  ]) {
    expect([answer.status, errorOf(answer)]).toEqual([413, "payload_too_large"]);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
  }
  const most = await rawSubmit(padded(LIMIT_BYTES));
  expect([most.status, errorOf(most)]).toEqual([400, "invalid_request"]);
  expect(await storedOf(db, site)).toEqual(NOTHING);
});

test("an endless chunked body is refused at the limit and not read further", async () => {
  const head = rawHead("POST", SUBMIT, { ...address(), Origin: site.origin, "Transfer-Encoding": "chunked" });
  const piece = `1000\r\n${"a".repeat(4096)}\r\n`;
  const answer = await sendRaw(service.port, head + piece.repeat(5));
  expect([answer.status, errorOf(answer)]).toEqual([413, "payload_too_large"]);
});

test("a truncated body stores nothing and affects nobody", async () => {
  const body = submissionBody(site, await challenge());
  const head = rawHead("POST", SUBMIT, { ...address(), Origin: site.origin, "Content-Length": String(body.length) });
  const answer = await sendRaw(service.port, head + body.slice(0, -20), { cut: true });
  expect([0, 400]).toContain(answer.status);
  expect(await storedOf(db, site)).toEqual(NOTHING);
  expect(await visit(service.url, site, { headers: address() })).toMatch(/^imp_/);
});

test.each(["text/plain", "application/json", "application/x-www-form-urlencoded", "image/png", undefined])(
  "content type %s is accepted",
  async (type) => {
    const body = submissionBody(site, await challenge());
    const answer = await rawSubmit(body, type === undefined ? {} : { "Content-Type": type });
    expect(answer.status).toBe(201);
    expect(await storedOf(db, site)).toMatchObject({ visits: 1, uses: 1 });
  },
);

test.each([
  ["a gzipped body", (body: string) => gzipSync(body)],
  ["no JSON", (body: string) => body.slice(1)],
  ["an array", () => "[]"],
  ["nothing", () => ""],
  ["bytes that are not UTF-8", (body: string) => Buffer.concat([Buffer.from(body.slice(0, -1)), Buffer.from([0xff])])],
  ["an unknown member", (body: string) => body.replace("{", '{"extra":1,')],
  ["another version", (body: string) => body.replace('"v":1', '"v":2')],
  ["a NUL", (body: string) => body.replace('"v":1', '"v":1,"surface":"a\\u0000b"')],
])("%s gets 400 invalid_request and stores nothing", async (_name, change) => {
  const answer = await rawSubmit(change(submissionBody(site, await challenge())), { "Content-Encoding": "gzip" });
  expect([answer.status, errorOf(answer)]).toEqual([400, "invalid_request"]);
  expect(await storedOf(db, site)).toEqual(NOTHING);
});

test("a challenge of one Web App is not valid for another", async () => {
  const other = await createSite(db);
  const foreign = await requestChallenge(service.url, other, { headers: address() });
  const answer = await rawSubmit(submissionBody(site, foreign));
  expect([answer.status, errorOf(answer)]).toEqual([400, "invalid_request"]);
  expect(await storedOf(db, site)).toEqual(NOTHING);
});

test("changes made on the command line take effect immediately in the running service", async () => {
  const imprint = await visit(service.url, site, { headers: address() });
  const made = await service.admin("key", "create", "--workspace", site.workspaceId, "--name", "second");
  const key = made["api_key"] ?? "";
  expect((await readReport(service.url, key, imprint)).status).toBe(200);
  await service.admin("key", "revoke", "--workspace", site.workspaceId, "--key", made["key_id"] ?? "");
  const refused = await readReport(service.url, key, imprint);
  expect([refused.status, await codeOf(refused)]).toEqual([401, "auth_failed"]);
  expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
});

test("an internal error is logged with its operation and statement, without values", async () => {
  const imprint = await visit(service.url, site, { headers: address() });
  await db.execute("alter table api_keys rename to api_keys_away");
  const failed = await readReport(service.url, site.apiKey, imprint);
  await db.execute("alter table api_keys_away rename to api_keys");
  expect([failed.status, await codeOf(failed)]).toEqual([500, "internal_error"]);
  const id = failed.headers.get("x-request-id") ?? "";
  await expect.poll(() => service.output()).toContain(id);
  const line = service
    .output()
    .split("\n")
    .find((text) => text.includes(id));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    operation: "readReport",
    err: { code: "42P01", statement: expect.stringContaining("api_keys") as string },
  });
  expect(line).not.toContain(imprint);
  expect(line).not.toContain(site.apiKey);
});
