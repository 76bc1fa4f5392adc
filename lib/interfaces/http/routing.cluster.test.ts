import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { shardsTouchedBy } from "@/test/shards";
import { call, createSite, readReport, requestChallenge, submissionBody, submit, visit } from "@/test/visits";

const { db, pool } = await createTestDatabase();

/** The statements of a request, with the shards that each one touches. */
async function shardsOfRequest(status: number, ask: () => Promise<Response>): Promise<[string, number][]> {
  const { result, touched } = await shardsTouchedBy(pool, ask);
  expect(result.status).toBe(status);
  return touched.map(({ name, shards }) => [name, shards]);
}

test("each statement of a submission touches only its workspace's shard; the limiter touches none", async () => {
  const site = await createSite(db);
  const from = { address: "198.51.100.40" };
  const { token } = await visit(site, from);
  const { challenge } = await requestChallenge(site, { token, ...from });
  expect(await shardsOfRequest(201, () => submit(site, submissionBody(site, { challenge, token }), from))).toEqual([
    ["take permits", 0],
    ["read row", 1],
    ["store visit", 1],
  ]);
  const body = JSON.stringify({ environment_id: site.environmentId });
  const ask = { method: "POST", headers: { origin: site.origin }, body, ...from };
  expect(await shardsOfRequest(200, () => call("/api/v1/imprints/challenge", ask))).toEqual([
    ["take permits", 0],
    ["read row", 1],
  ]);
});

test("each statement of a read touches only its workspace's shard", async () => {
  const site = await createSite(db);
  const warm = await visit(site);
  expect((await readReport(site.apiKey, warm.imprint, { "x-account-ref": "first" })).status).toBe(200);
  const [plain, linked] = [await visit(site), await visit(site)];
  const reads = [
    () => readReport(site.apiKey, plain.imprint),
    () => readReport(site.apiKey, plain.imprint),
    () => readReport(site.apiKey, linked.imprint, { "x-account-ref": "42" }),
    () => readReport(site.apiKey, linked.imprint, { "x-account-ref": "42" }),
  ];
  for (const read of reads) {
    const touched = await shardsOfRequest(200, read);
    expect(touched.filter(([name, shards]) => shards > (name === "take permits" ? 0 : 1))).toEqual([]);
    expect(touched.filter(([, shards]) => shards === 1).length).toBeGreaterThan(0);
  }
});
