import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { authenticateApiKey } from "@/lib/tenancy/api-keys";
import { listAudit, listMembers, listWorkspaces } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { resolveEnvironment } from "@/lib/tenancy/web-apps";
import { checkSetupToken, completeSetup, ensureSetupLink } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const input = {
  email: "Owner@Example.com",
  workspaceName: "Acme",
  webAppName: "Shop",
  origins: ["https://shop.example"],
};
const setup = (token: string, change: Partial<typeof input> = {}) =>
  completeSetup({ db, now: new Date() }, { ...input, ...change, token });

async function newToken(): Promise<string> {
  return new URL((await ensureSetupLink(db)) ?? "").searchParams.get("token") ?? "";
}

test("set-up links work until one of many concurrent uses succeeds", async () => {
  const [first, second] = [await newToken(), await newToken()];
  expect(await checkSetupToken(db, first)).toBe(true);
  expect(await checkSetupToken(db, `${first}x`)).toBe(false);

  await expect(setup("")).rejects.toMatchObject({ code: "auth_failed" });
  await expect(setup(first, { email: "no address" })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(setup(first, { webAppName: "" })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(setup(first, { origins: ["*"] })).rejects.toMatchObject({ code: "invalid_origin" });
  expect(await listWorkspaces(operator)).toEqual([]);
  expect(await checkSetupToken(db, first)).toBe(true);

  const outcomes = await Promise.allSettled([first, second, first, second].map((token) => setup(token)));
  const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(done).toHaveLength(1);
  const [made] = done;
  if (!made) return;

  expect(await listMembers(operator, made)).toMatchObject([
    { email: "owner@example.com", role: "owner", canSeeAddresses: true },
  ]);
  expect(await authenticateApiKey(db, made.apiKey)).toMatchObject({ workspaceId: made.workspaceId });
  expect(await resolveEnvironment(db, made.environmentId)).toMatchObject({
    origins: ["https://shop.example"],
    state: "active",
  });
  expect((await listAudit(operator, {})).entries).toMatchObject([{ action: "setup.complete", actorId: made.userId }]);

  expect(await ensureSetupLink(db)).toBeUndefined();
  for (const token of [first, second]) {
    expect(await checkSetupToken(db, token)).toBe(false);
    await expect(setup(token)).rejects.toMatchObject({ code: "conflict" });
  }
});
