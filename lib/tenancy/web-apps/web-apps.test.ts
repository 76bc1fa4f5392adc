import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { authenticateApiKey, listKeys } from "@/lib/tenancy/api-keys";
import { newId } from "@/lib/contract/ids";
import { listAudit } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import {
  addOrigins,
  archiveWebApp,
  createWebApp,
  listWebApps,
  pauseWebApp,
  readWebApp,
  removeOrigin,
  renameWebApp,
  resolveEnvironment,
  resumeWebApp,
} from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

async function createTestWebApp(origins: string[] = ["https://shop.example"]) {
  const workspaceId = await createTestWorkspace(db);
  return await createWebApp(operator, { workspaceId, name: "Shop", origins });
}

test("a new Web App comes with an environment and a server key that works at once", async () => {
  const webApp = await createTestWebApp();
  expect(webApp.environmentId).toMatch(/^env_[0-9a-f]{32}$/);
  expect(await authenticateApiKey(db, webApp.apiKey)).toMatchObject({
    workspaceId: webApp.workspaceId,
    keyId: webApp.keyId,
  });
  const { result, roundTrips } = await countRoundTrips(() => resolveEnvironment(db, webApp.environmentId));
  expect(roundTrips).toBe(2);
  expect((await countRoundTrips(() => resolveEnvironment(db, webApp.environmentId))).roundTrips).toBe(1);
  expect(result).toEqual({
    environmentId: webApp.environmentId,
    hasVisitListener: false,
    observedRules: [],
    workspaceId: webApp.workspaceId,
    webAppId: webApp.webAppId,
    state: "active",
    plan: "pro",
    isKeyUsable: false,
    origins: ["https://shop.example"],
  });
});

test.each([
  ["😀".repeat(40), `${"😀".repeat(35)} server`],
  [`a${"😀".repeat(39)}`, `a${"😀".repeat(34)} server`],
])("the Web App %s has a key named after it", async (name, keyName) => {
  const workspaceId = await createTestWorkspace(db);
  const { keyId } = await createWebApp(operator, { workspaceId, name });
  expect(await listKeys(operator, { workspaceId })).toMatchObject([{ keyId, name: keyName }]);
});

test("an invalid origin prevents the creation of anything, and is explained", async () => {
  const workspaceId = await createTestWorkspace(db);
  const input = { workspaceId, name: "Shop", origins: ["https://a.example", "https://b.example/shop"] };
  await expect(createWebApp(operator, input)).rejects.toMatchObject({
    code: "invalid_origin",
    message: expect.stringMatching(
      /"https:\/\/b\.example\/shop": .*path.* Did you mean https:\/\/b\.example\?$/,
    ) as string,
  });
  expect(await listWebApps(operator, { workspaceId })).toEqual([]);
  expect(await listKeys(operator, { workspaceId })).toEqual([]);
});

test("an origin with its scheme's default port equals the one without it, wherever it is entered", async () => {
  const webApp = await createTestWebApp(["https://shop.example:443", "http://shop.example:80"]);
  const origins = async () => (await readWebApp(operator, webApp)).origins;
  expect([...(await origins())].sort()).toEqual(["http://shop.example", "https://shop.example"]);
  expect(await addOrigins(operator, { ...webApp, origins: ["HTTPS://shop.example:443"] })).toMatchObject({ added: [] });
  expect(await removeOrigin(operator, { ...webApp, origin: "http://shop.example:80" })).toEqual({
    origin: "http://shop.example",
  });
  expect(await origins()).toEqual(["https://shop.example"]);
});

test("of many origins the valid ones are added and the others returned with reasons", async () => {
  const webApp = await createTestWebApp();
  const outcome = await addOrigins(operator, {
    ...webApp,
    origins: [
      "https://SHOP.example",
      "https://new.example",
      "https://new.example",
      "*.new.example",
      "https://new.example/",
    ],
  });
  expect(outcome.added).toEqual(["https://new.example"]);
  expect(outcome.alreadyListed).toEqual(["https://shop.example"]);
  expect(outcome.refused.map(({ text, kind, suggestion }) => [text, kind, suggestion])).toEqual([
    ["*.new.example", "wildcard", undefined],
    ["https://new.example/", "path", "https://new.example"],
  ]);
  expect((await readWebApp(operator, webApp)).origins).toEqual(["https://shop.example", "https://new.example"]);
});

test("the list of origins is bounded, also when several calls fill it concurrently", async () => {
  const webApp = await createTestWebApp([]);
  const batch = (side: number) => Array.from({ length: 60 }, (_, index) => `https://s${side}-${index}.example`);
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map((side) => addOrigins(operator, { ...webApp, origins: batch(side) })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
  expect((await readWebApp(operator, webApp)).origins).toHaveLength(180);
});

test("a removed origin is refused; one that is not listed cannot be removed", async () => {
  const webApp = await createTestWebApp(["https://a.example", "https://b.example"]);
  await removeOrigin(operator, { ...webApp, origin: "https://A.example" });
  expect((await resolveEnvironment(db, webApp.environmentId))?.origins).toEqual(["https://b.example"]);
  for (const origin of ["https://a.example", "https://b.example/", ""]) {
    await expect(removeOrigin(operator, { ...webApp, origin })).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a paused Web App can be resumed, an archived one cannot", async () => {
  const webApp = await createTestWebApp();
  const state = async () => (await resolveEnvironment(db, webApp.environmentId))?.state;
  await pauseWebApp(operator, webApp);
  await pauseWebApp(operator, webApp);
  expect(await state()).toBe("paused");
  await resumeWebApp(operator, webApp);
  expect(await state()).toBe("active");
  await archiveWebApp(operator, webApp);
  expect(await state()).toBe("archived");
  await expect(resumeWebApp(operator, webApp)).rejects.toMatchObject({ code: "conflict" });
  await expect(pauseWebApp(operator, webApp)).rejects.toMatchObject({ code: "conflict" });
  expect(await authenticateApiKey(db, webApp.apiKey)).toBeDefined();
});

test("each effective change has one audit entry, without secrets", async () => {
  const webApp = await createTestWebApp();
  await addOrigins(operator, { ...webApp, origins: ["https://shop.example"] });
  await addOrigins(operator, { ...webApp, origins: ["https://new.example"] });
  await removeOrigin(operator, { ...webApp, origin: "https://new.example" });
  await pauseWebApp(operator, webApp);
  await pauseWebApp(operator, webApp);
  await renameWebApp(operator, { ...webApp, name: webApp.apiKey });
  const { entries } = await listAudit(operator, webApp);
  expect(entries.map(({ action }) => action).reverse()).toEqual([
    "workspace.create",
    "web_app.create",
    "api_key.create",
    "origin.add",
    "origin.remove",
    "web_app.pause",
    "web_app.rename",
  ]);
  expect(JSON.stringify(entries)).not.toContain(webApp.apiKey);
});

test("a Web App of another workspace is not found", async () => {
  const webApp = await createTestWebApp();
  const workspaceId = await createTestWorkspace(db);
  for (const webAppId of [webApp.webAppId, newId("webApp"), "app_1", "app_zz"]) {
    const input = { workspaceId, webAppId, origin: "https://shop.example", origins: ["https://x.example"] };
    for (const verb of [pauseWebApp, resumeWebApp, archiveWebApp, addOrigins, removeOrigin, readWebApp]) {
      await expect(verb(operator, input)).rejects.toMatchObject({ code: "not_found" });
    }
  }
});

test.each(["", "env_", `env_${"0".repeat(32)}`, `ENV_${"0".repeat(32)}`, "env_'; select 1", `ws_${"0".repeat(32)}`])(
  "environment %j is unknown",
  async (environmentId) => {
    expect(await resolveEnvironment(db, environmentId)).toBeUndefined();
  },
);
