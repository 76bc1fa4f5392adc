import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { authorizationUrl, createPerson, jsonOf, pkce, redeem, register, ScriptedBrowser } from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);
const person = await createPerson(db, workspaceId);

test.each([
  ["openid svc.report.lite", {}],
  ["svc.report.lite openid profile email offline_access", { nonce: "n", max_age: "3600", acr_values: "1" }],
  ["openid", { nonce: "n", claims: "{}" }],
  ["svc.report.lite", { prompt: "select_account" }],
  ["svc.report.lite", { prompt: "select_account consent" }],
])("a person allows a client that asks for %j with %j once, and it gets our scopes", async (scope, extra) => {
  const clientId = await register();
  const { challenge, verifier } = pkce();
  const browser = new ScriptedBrowser(person.cookie);
  const path = await browser.start(authorizationUrl({ clientId, challenge, scope, extra }));
  const callback = await browser.follow(
    await browser.decide(path, [
      ["scope", "svc.report.lite"],
      ["workspace", workspaceId],
      ["decision", "allow"],
    ]),
  );
  const tokens = await jsonOf(await redeem({ clientId, code: callback.searchParams.get("code") ?? "", verifier }));
  expect(String(tokens["scope"]).split(" ")).toContain("svc.report.lite");
  expect(tokens).not.toHaveProperty("id_token");
});

test("a scope given twice is refused", async () => {
  const clientId = await register();
  const url = `${authorizationUrl({ clientId, challenge: pkce().challenge, scope: "svc.report.lite" })}&scope=openid`;
  expect((await new ScriptedBrowser(person.cookie).open(url)).status).toBe(400);
});
