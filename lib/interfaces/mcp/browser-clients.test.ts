import { expect, test, vi } from "vitest";

const PAGE = "https://inspector.example";
vi.stubEnv("MCP_ALLOWED_ORIGINS", `${PAGE} http://localhost:6274`);

const { createTestDatabase } = await import("@/test/database");
const { createPerson, jsonOf, send } = await import("@/test/oauth");
const { createTestWorkspace } = await import("@/test/workspaces");
const { message, tokenFor } = await import("./testing");

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const token = await tokenFor(await createPerson(db, workspaceId), workspaceId);

const preflight = (path: string, origin: string) =>
  send(path, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
  });

test("a page of an allowed origin may send requests and read answers, challenges and refusals", async () => {
  for (const path of ["/mcp", "/oauth/token", "/oauth/register", "/oauth/revoke"]) {
    const { status, headers } = await preflight(path, PAGE);
    expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 204, PAGE]);
    expect(headers.get("access-control-allow-headers")).toContain("Authorization");
  }
  const listed = await message(token, { method: "tools/list", headers: { origin: PAGE } });
  const challenged = await message(undefined, { method: "tools/list", headers: { origin: PAGE } });
  expect([listed.status, challenged.status]).toEqual([200, 401]);
  for (const { headers } of [listed, challenged]) {
    expect(headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    expect(headers.get("vary")).toContain("Origin");
  }
  const refused = await send("/oauth/register", {
    method: "POST",
    headers: { origin: PAGE, "content-type": "application/json" },
    body: "{}",
  });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([400, PAGE]);
});

test("a page of an allowed origin can read that there is no stream to open and no session to end", async () => {
  for (const method of ["GET", "DELETE"]) {
    const { status, headers } = await send("/mcp", { method, headers: { origin: PAGE } });
    expect([method, status, headers.get("access-control-allow-origin")]).toEqual([method, 405, PAGE]);
    const foreign = await send("/mcp", { method, headers: { origin: "https://evil.example" } });
    expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  }
});

test.each(["https://inspector.example.evil", "http://inspector.example", "https://inspector.example:8443", "null"])(
  "a page of %s is refused as before",
  async (origin) => {
    const { status, headers } = await preflight("/mcp", origin);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([405, null]);
    const response = await message(token, { method: "tools/list", headers: { origin } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  },
);

test("no page can read the authorization endpoint's answers", async () => {
  const { headers } = await send("/oauth/authorize", { headers: { origin: PAGE } });
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect((await preflight("/oauth/authorize", PAGE)).status).toBe(405);
});

test("clients other than browsers are not affected", async () => {
  const response = await message(token, { method: "tools/list" });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  expect(await jsonOf(await send("/mcp", { method: "OPTIONS" }))).toMatchObject({
    error: { code: "method_not_allowed" },
  });
});
