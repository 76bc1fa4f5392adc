import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid } from "@/lib/contract/ids";
import { rewrapSealed } from "@/lib/platform/sealed";
import { publishSecrets } from "@/lib/platform/secrets";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { createEndpoint, listEndpoints, rotateSecret, webhookSecretStore } from "./index";
import { parseTarget } from "./domain/target";
import { openSecret } from "./secret";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const VALID = { name: "Shop", url: "https://shop.example/events", eventTypes: ["visit.recorded"] };

test.each([
  ["http", { url: "http://shop.example/" }],
  ["a password", { url: "https://a:b@shop.example/" }],
  ["a fragment", { url: "https://shop.example/#a" }],
  ["no address", { url: "shop.example" }],
  ["another scheme", { url: "file:///etc/passwd" }],
  ["a port that is never connected to", { url: "https://shop.example:6000/" }],
  ["a long address", { url: `https://shop.example/${"a".repeat(2048)}` }],
  ["no type", { eventTypes: [] }],
  ["an unknown type", { eventTypes: ["visit.deleted"] }],
  ["a test's type", { eventTypes: ["webhook.test"] }],
  ["an unknown status", { statuses: ["BAD"] }],
  ["an invalid Web App id", { webAppIds: ["shop"] }],
  ["no name", { name: " " }],
])("an endpoint with %s is refused with a message", async (_name, change) => {
  const workspaceId = await createTestWorkspace(db);
  await expect(createEndpoint(operator, { workspaceId, ...VALID, ...change })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await listEndpoints(operator, { workspaceId })).toEqual([]);
});

test("plain http URLs are allowed in development only", () => {
  expect(parseTarget("http://localhost:4000/events", true)).toEqual({ url: "http://localhost:4000/events" });
  expect(typeof parseTarget("http://localhost:4000/events", false)).toBe("string");
});

test("a workspace has at most 20 endpoints, also when many are created concurrently", async () => {
  const workspaceId = await createTestWorkspace(db);
  const made = await Promise.allSettled(
    Array.from({ length: 25 }, () => createEndpoint(operator, { workspaceId, ...VALID })),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
});

test("only operators can subscribe to the trials of the instance", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, workspaceId, "owner");
  const input = { workspaceId, ...VALID, eventTypes: ["visit.recorded", "trial.activated"] };
  await expect(createEndpoint(owner, input)).rejects.toMatchObject({ code: "forbidden" });
  expect((await createEndpoint(operator, input)).eventTypes).toEqual(input.eventTypes);
});

test("a signing secret is stored sealed, shown once, and rewrapped with its predecessor when the keys change", async () => {
  const workspaceId = await createTestWorkspace(db);
  const { endpointId, secret } = await createEndpoint(operator, { workspaceId, ...VALID });
  const rotated = await rotateSecret(operator, { workspaceId, endpointId });
  const read = async () => {
    const [row] = await db.execute<{ now: string; before: string; all: string }>(sql`
      select sealed_secret as now, sealed_previous_secret as before, e::text as all from webhook_endpoints e
      where workspace_id = ${idToUuid(workspaceId)}::uuid`);
    return row ?? { now: "", before: "", all: "" };
  };
  const stored = await read();
  for (const text of [secret, rotated.secret]) expect(stored.all).not.toContain(text.slice(6));
  expect(JSON.stringify(await listEndpoints(operator, { workspaceId }))).not.toMatch(/whsec|sealed|v1\./);
  publishSecrets({ ...TEST_SECRETS, keks: `k2:${Buffer.alloc(32, 7).toString("base64")},${TEST_SECRETS.keks}` });
  try {
    await rewrapSealed(operator, [webhookSecretStore]);
    const rewrapped = await read();
    expect([rewrapped.now, rewrapped.before].map((sealed) => sealed.split(".")[1])).toEqual(["k2", "k2"]);
    expect(openSecret(rewrapped.now, endpointId)).toBe(rotated.secret);
    expect(openSecret(rewrapped.before, endpointId)).toBe(secret);
  } finally {
    publishSecrets(TEST_SECRETS);
  }
});
