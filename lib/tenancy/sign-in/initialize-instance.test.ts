import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { authenticateApiKey } from "@/lib/tenancy/api-keys";
import { resolveEnvironment } from "@/lib/tenancy/web-apps";
import { createWorkspace, listAudit, listMembers, listWorkspaces } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { drawInitialValues, ensureSetupLink, type InitialVariables, initializeInstance } from "./index";

const folder = mkdtempSync(join(tmpdir(), "imprint-initial-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const { apiKey, environmentId } = drawInitialValues();
const SET = {
  INIT_OWNER_EMAIL: "Ada@Example.com",
  INIT_WORKSPACE: "Acme",
  INIT_WEB_APP: "Shop",
  INIT_ORIGINS: "https://shop.example,http://localhost:5173",
  INIT_ENVIRONMENT_ID: environmentId,
  INIT_API_KEY: apiKey,
};

test("of several processes starting on an empty instance exactly one sets it up, and later starts change nothing", async () => {
  const { db, url } = await createTestDatabase();
  const operator = operatorContext(db);
  const other = connect({ url, poolSize: 2, prepare: false, applicationName: "other" });
  try {
    const made = await Promise.all([db, other.db, db, other.db].map((each) => initializeInstance(each, SET)));
    const workspaces = await listWorkspaces(operator);
    expect(workspaces).toMatchObject([{ name: "Acme" }]);
    const workspaceId = workspaces[0]?.workspaceId ?? "";
    expect(made.filter((each) => each !== undefined)).toEqual([
      { email: "ada@example.com", workspaceId, environmentId },
    ]);
  } finally {
    await other.close();
  }
  const [workspace] = await listWorkspaces(operator);
  const workspaceId = workspace?.workspaceId ?? "";
  expect(await listMembers(operator, { workspaceId })).toMatchObject([{ email: "ada@example.com", role: "owner" }]);
  expect(await authenticateApiKey(db, apiKey)).toMatchObject({ workspaceId });
  expect(await resolveEnvironment(db, environmentId)).toMatchObject({ workspaceId, state: "active" });
  expect(await ensureSetupLink(db)).toBeUndefined();
  const { entries } = await listAudit(operator, {});
  expect(entries).toMatchObject([{ action: "setup.complete", detail: { by: "environment", workspaceId } }]);
  expect(JSON.stringify(await listAudit(operator, { workspaceId }))).not.toContain(apiKey);

  const others = { ...SET, INIT_WORKSPACE: "Other", INIT_API_KEY: drawInitialValues().apiKey };
  expect(await initializeInstance(db, others)).toBeUndefined();
  expect(await initializeInstance(db, { INIT_API_KEY: "left behind" })).toBeUndefined();
  expect(await listWorkspaces(operator)).toHaveLength(1);
});

test("an instance with a workspace but no user is not changed", async () => {
  const { db } = await createTestDatabase();
  const operator = operatorContext(db);
  await createWorkspace(operator, { name: "By hand" });
  expect(await initializeInstance(db, SET)).toBeUndefined();
  expect(await listWorkspaces(operator)).toMatchObject([{ name: "By hand" }]);
  await expect(authenticateApiKey(db, apiKey)).rejects.toMatchObject({ code: "auth_failed" });
});

test("a malformed value is reported by variable name without its value, and nothing is created; a key file is read", async () => {
  const { db } = await createTestDatabase();
  const file = join(folder, "key");
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith("A") ? "B" : "A"}`;
  const cases: [Partial<Record<keyof typeof SET | "INIT_API_KEY_FILE", string | undefined>>, RegExp][] = [
    [{ INIT_OWNER_EMAIL: "ada" }, /^INIT_OWNER_EMAIL: /],
    [{ INIT_WORKSPACE: " " }, /^INIT_WORKSPACE: /],
    [{ INIT_WEB_APP: "x".repeat(81) }, /^INIT_WEB_APP: /],
    [{ INIT_ORIGINS: "https://shop.example,*" }, /^INIT_ORIGINS: /],
    [{ INIT_ORIGINS: " , " }, /^INIT_ORIGINS: /],
    [{ INIT_ENVIRONMENT_ID: environmentId.toUpperCase() }, /^INIT_ENVIRONMENT_ID: /],
    [{ INIT_API_KEY: wrong }, /^INIT_API_KEY: /],
    [{ INIT_API_KEY: `svc_trial_${"a".repeat(38)}` }, /^INIT_API_KEY: /],
    [{ INIT_API_KEY: undefined, INIT_API_KEY_FILE: join(folder, "none") }, /^INIT_API_KEY_FILE: .* cannot be read/],
    [{ INIT_API_KEY: undefined }, /^INIT_API_KEY .* missing/],
  ];
  for (const [change, message] of cases) {
    const given: InitialVariables = { ...SET, ...change };
    const refusal = await initializeInstance(db, given).catch((error: unknown) => (error as Error).message);
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain(wrong.slice(9, 20));
  }
  expect(await listWorkspaces(operatorContext(db))).toEqual([]);
  expect(await initializeInstance(db, {})).toBeUndefined();
  writeFileSync(file, `${apiKey}\n`);
  const origins = "https://shop.example:443,http://localhost:5173";
  const changed = { INIT_ORIGINS: origins, INIT_API_KEY: undefined, INIT_API_KEY_FILE: file };
  const made = await initializeInstance(db, { ...SET, ...changed });
  expect(await resolveEnvironment(db, environmentId)).toMatchObject({
    origins: expect.arrayContaining(["https://shop.example", "http://localhost:5173"]) as string[],
  });
  expect(await authenticateApiKey(db, apiKey)).toMatchObject({ workspaceId: made?.workspaceId });
});
