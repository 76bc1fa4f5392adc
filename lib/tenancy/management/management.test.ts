import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid, newId } from "@/lib/contract/ids";
import { MANAGEMENT_SCOPES } from "@/lib/contract/manage";
import { createTestDatabase } from "@/test/database";
import { call, createSite, readReport, requestChallenge, submissionBody, submit, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { createManagementKey, listManagementKeys, revokeManagementKey } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const MANAGE = "/api/v1/manage";

type Json = Record<string, unknown>;

async function createSetup(scopes: readonly string[] = MANAGEMENT_SCOPES) {
  const site = await createSite(db);
  const key = await createManagementKey(operator, { workspaceId: site.workspaceId, name: "CI", scopes });
  const ask = async (method: string, path: string, body?: unknown, authorization = `Bearer ${key.secret}`) => {
    const response = await call(MANAGE + path, {
      method,
      headers: { authorization },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const origins = `/web-apps/${site.webAppId}/origins`;
  return { site, key, ask, origins };
}

const codeOf = ({ status, body }: { status: number; body: Json }) => [status, (body["error"] as Json)["code"]];
const PREVIEW = "https://preview-7.shop.example";

/** Submits as a page of `origin` would. */
async function submitFrom(setup: Awaited<ReturnType<typeof createSetup>>, origin: string) {
  const site = { ...setup.site, origin };
  const issued = await call("/api/v1/imprints/challenge", {
    method: "POST",
    headers: { origin },
    body: JSON.stringify({ environment_id: site.environmentId }),
  });
  if (issued.status !== 200) return issued.status;
  const { challenge } = (await issued.json()) as { challenge: string };
  return (await submit(site, submissionBody(site, { challenge }))).status;
}

test("a malformed origin is not reported as removed: the intended one would stay allowed", async () => {
  const { ask, origins } = await createSetup(["origins"]);
  await ask("PUT", origins, { origin: PREVIEW });
  for (const slip of [`${PREVIEW}/`, "preview-7.shop.example", `${PREVIEW}.`])
    expect(await ask("DELETE", `${origins}?origin=${encodeURIComponent(slip)}`)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_origin", message: expect.stringContaining("Did you mean") as string } },
    });
  const shouted = encodeURIComponent(`${PREVIEW.toUpperCase()}:443`);
  for (const removed of [true, false])
    expect(await ask("DELETE", `${origins}?origin=${shouted}`)).toMatchObject({ body: { origin: PREVIEW, removed } });
});

test("a preview deployment adds its origin for a limited time and removes it again; repeating either changes nothing", async () => {
  const setup = await createSetup(["origins"]);
  const { ask, origins } = setup;
  expect(await submitFrom(setup, PREVIEW)).toBe(403);
  const add = () => ask("PUT", origins, { origin: PREVIEW, expires_in_seconds: 3600 });
  const first = await add();
  expect(first).toMatchObject({ status: 200, body: { web_app_id: setup.site.webAppId, origin: PREVIEW } });
  expect(Date.parse(String(first.body["expires_at"]))).toBeGreaterThan(Date.now() + 3_500_000);
  expect((await add()).status).toBe(200);
  expect(await submitFrom(setup, PREVIEW)).toBe(201);
  const drop = () => ask("DELETE", `${origins}?origin=${encodeURIComponent(PREVIEW)}`);
  expect(await drop()).toMatchObject({ status: 200, body: { removed: true } });
  expect(await drop()).toMatchObject({ status: 200, body: { removed: false } });
  expect(await submitFrom(setup, PREVIEW)).toBe(403);
});

test("an origin is refused from its expiry by the database clock, and leaves every list; it can be added again", async () => {
  const setup = await createSetup();
  const { ask, origins } = setup;
  await ask("PUT", origins, { origin: PREVIEW, expires_in_seconds: 60 });
  const { challenge } = await requestChallenge({ ...setup.site, origin: PREVIEW });
  await db.execute(sql`
    update allowed_origins set expires_at = now() where workspace_id = ${idToUuid(setup.site.workspaceId)}::uuid
      and origin = ${PREVIEW}`);
  const site = { ...setup.site, origin: PREVIEW };
  expect((await submit(site, submissionBody(site, { challenge }))).status).toBe(403);
  const listed = async () => JSON.stringify((await ask("GET", "/web-apps")).body);
  expect(await listed()).not.toContain(PREVIEW);
  await ask("PUT", origins, { origin: PREVIEW });
  expect(await submitFrom(setup, PREVIEW)).toBe(201);
  expect(await listed()).toContain(`{"origin":"${PREVIEW}","expires_at":null}`);
});

test("a permanent origin is never given an expiry", async () => {
  const { site, ask, origins } = await createSetup();
  expect(await ask("PUT", origins, { origin: site.origin, expires_in_seconds: 60 })).toMatchObject({
    body: { expires_at: null },
  });
});

test("Web Apps and keys are managed by the operations of the contract", async () => {
  const { site, ask } = await createSetup();
  const created = await ask("POST", "/web-apps", { name: "Second" });
  expect(created).toMatchObject({ status: 201, body: { name: "Second", state: "active", origins: [] } });
  const at = `/web-apps/${String(created.body["web_app_id"])}`;
  expect(await ask("PUT", at, { name: "Other", state: "paused" })).toMatchObject({
    status: 200,
    body: { name: "Other", state: "paused" },
  });
  await ask("PUT", at, { name: "Other", state: "archived" });
  expect(codeOf(await ask("PUT", at, { name: "New", state: "active" }))).toEqual([409, "conflict"]);
  const { body } = await ask("GET", "/web-apps");
  expect((body["web_apps"] as Json[]).map(({ name }) => name)).toEqual(["Shop", "Other"]);
  const key = (await ask("POST", "/keys", { name: "server", expires_in_seconds: 3600 })).body;
  const { imprint } = await visit(site);
  expect((await readReport(String(key["api_key"]), imprint)).status).toBe(200);
  const rotated = (await ask("POST", `/keys/${String(key["key_id"])}/rotate`, { overlap: "0" })).body;
  expect((await readReport(String(key["api_key"]), imprint)).status).toBe(401);
  expect((await readReport(String(rotated["api_key"]), imprint)).status).toBe(200);
  for (const _ of [1, 2])
    expect(await ask("DELETE", `/keys/${String(rotated["key_id"])}`)).toMatchObject({ status: 200 });
  expect((await readReport(String(rotated["api_key"]), imprint)).status).toBe(401);
  expect(JSON.stringify((await ask("GET", "/keys")).body)).not.toContain(String(rotated["api_key"]).slice(14));
});

test("each change is audited under the key, without its secret", async () => {
  const { site, key, ask, origins } = await createSetup();
  await ask("PUT", origins, { origin: PREVIEW });
  const rows = await db.execute<{ action: string; actor_kind: string; actor_id: string; all: string }>(sql`
    select action, actor_kind, actor_id, detail::text as all from audit_log
    where workspace_id = ${idToUuid(site.workspaceId)}::uuid and actor_id = ${key.keyId}`);
  expect(rows).toMatchObject([{ action: "origin.add", actor_kind: "managementKey", actor_id: key.keyId }]);
  expect(JSON.stringify(rows)).not.toContain(key.secret.slice(11));
});

test("a scope allows its own operations and no others", async () => {
  const allowed: Record<string, string[]> = {
    web_apps: ["GET /web-apps", "POST /web-apps", "PUT /web-apps/ID"],
    origins: ["GET /web-apps", "PUT /web-apps/ID/origins", "DELETE /web-apps/ID/origins"],
    keys: ["GET /keys", "POST /keys", "POST /keys/ID/rotate", "DELETE /keys/ID"],
  };
  const bodies: Record<string, unknown> = {
    "POST /web-apps": { name: "New" },
    "PUT /web-apps/ID": { name: "New", state: "active" },
    "PUT /web-apps/ID/origins": { origin: PREVIEW },
    "POST /keys": { name: "new" },
    "POST /keys/ID/rotate": {},
  };
  for (const scope of MANAGEMENT_SCOPES) {
    const { site, ask } = await createSetup([scope]);
    for (const operation of new Set(Object.values(allowed).flat())) {
      const [method = "", path = ""] = operation.split(" ");
      const id = path.startsWith("/keys") ? site.keyId : site.webAppId;
      const query = method === "DELETE" && path.endsWith("origins") ? `?origin=${encodeURIComponent(PREVIEW)}` : "";
      const { status } = await ask(method, path.replace("ID", id) + query, bodies[operation]);
      expect([scope, operation, status < 300 ? "allowed" : status]).toEqual([
        scope,
        operation,
        allowed[scope]?.includes(operation) ? "allowed" : 403,
      ]);
    }
  }
});

test("another workspace's Web Apps and keys appear not to exist", async () => {
  const [{ ask }, other] = [await createSetup(), await createSetup()];
  for (const [method, path, body] of [
    ["PUT", `/web-apps/${other.site.webAppId}`, { name: "x", state: "paused" }],
    ["PUT", other.origins, { origin: PREVIEW }],
    ["DELETE", `${other.origins}?origin=${encodeURIComponent(other.site.origin)}`, undefined],
    ["POST", `/keys/${other.site.keyId}/rotate`, {}],
    ["DELETE", `/keys/${other.site.keyId}`, undefined],
    ["PUT", `/web-apps/${newId("webApp")}`, { name: "x", state: "paused" }],
    ["PUT", "/web-apps/x", { name: "x", state: "paused" }],
  ] as const)
    expect(codeOf(await ask(method, path, body))).toEqual([404, "not_found"]);
  expect(await submitFrom(other, other.site.origin)).toBe(201);
});

test("HEAD of a list is answered as its GET: same status, same refusals, same limits", async () => {
  const { ask } = await createSetup(["origins"]);
  expect((await ask("HEAD", "/web-apps")).status).toBe(200);
  expect((await ask("HEAD", "/keys")).status).toBe(403);
  expect((await ask("HEAD", "/web-apps", undefined, "Bearer x")).status).toBe(401);
});

test("no key is accepted as another kind: report keys do not manage, management keys read no Report", async () => {
  const { site, key, ask } = await createSetup();
  const { imprint } = await visit(site);
  expect((await readReport(key.secret, imprint)).status).toBe(401);
  const wrong = [`Bearer ${site.apiKey}`, key.secret, `Basic ${key.secret}`, `Bearer ${key.secret}x`, "Bearer ", ""];
  for (const authorization of wrong)
    expect(codeOf(await ask("GET", "/web-apps", undefined, authorization))).toEqual([401, "auth_failed"]);
  const response = await call(`${MANAGE}/web-apps`, { headers: { "x-api-key": key.secret } });
  expect(response.status).toBe(401);
});

test("revoked and expired keys are refused at once", async () => {
  const [revoked, expired] = [await createSetup(), await createSetup()];
  await revokeManagementKey(operator, { workspaceId: revoked.site.workspaceId, keyId: revoked.key.keyId });
  await db.execute(sql`
    update management_keys set expires_at = now() where workspace_id = ${idToUuid(expired.site.workspaceId)}::uuid`);
  for (const { ask } of [revoked, expired]) expect(codeOf(await ask("GET", "/web-apps"))).toEqual([401, "auth_failed"]);
  const [row] = await listManagementKeys(operator, expired.site);
  expect(row).toMatchObject({ state: "expired" });
});

test("a list that years of rotation filled with ended keys still begins with every key in use, and stays short", async () => {
  const { site, key } = await createSetup();
  await db.execute(sql`
    insert into management_keys
      (workspace_id, key_id, name, scopes, key_hash, pepper_id, preview, last_four, created_by, expires_at, revoked_at)
    select ${idToUuid(site.workspaceId)}::uuid, gen_random_uuid(), 'CI', '{origins}', sha256(gen_random_uuid()::text::bytea),
      'k1', 'svc_manage_ab', 'wxyz', '', now() + interval '1 day', now() from generate_series(1, 300)`);
  const listed = await listManagementKeys(operator, site);
  expect(listed[0]).toMatchObject({ keyId: key.keyId, state: "active" });
  expect(listed).toHaveLength(100);
});

test.each([
  ["PUT", "origins", { origin: "https://*.shop.example" }, 400, "invalid_origin"],
  ["PUT", "origins", { origin: PREVIEW, expires_in_seconds: 59 }, 400, "invalid_request"],
  ["PUT", "origins", { origin: PREVIEW, expires: 60 }, 400, "invalid_request"],
  ["PUT", "origins", {}, 400, "invalid_request"],
  ["POST", "origins", { origin: PREVIEW }, 405, "method_not_allowed"],
  ["DELETE", "origins", undefined, 400, "invalid_request"],
])("%s of %s with %j is %i %s", async (method, _path, body, status, code) => {
  const { ask, origins } = await createSetup();
  expect(codeOf(await ask(method, origins, body))).toEqual([status, code]);
});

test.each([
  ["no scope", { scopes: [] }],
  ["an unknown scope", { scopes: ["origins", "all"] }],
  ["a long life", { scopes: ["origins"], expiresAfterSeconds: 367 * 86_400 }],
  ["no life", { scopes: ["origins"], expiresAfterSeconds: 0 }],
])("a management key with %s is refused", async (_name, input) => {
  const { workspaceId } = await createSite(db);
  await expect(createManagementKey(operator, { workspaceId, name: "CI", ...input })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("a member who may not create API keys cannot create a management key that may", async () => {
  const { workspaceId } = await createSite(db);
  const admin = await memberContext(db, workspaceId, "admin");
  await db.execute(sql`
    update members set can_see_addresses = false where workspace_id = ${idToUuid(workspaceId)}::uuid
      and user_id = ${admin.actor.userId}`);
  const input = { workspaceId, name: "CI" };
  await expect(createManagementKey(admin, { ...input, scopes: ["keys"] })).rejects.toMatchObject({ code: "forbidden" });
  expect((await createManagementKey(admin, { ...input, scopes: ["origins"] })).scopes).toEqual(["origins"]);
});
