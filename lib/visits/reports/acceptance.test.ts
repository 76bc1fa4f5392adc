import { expect, test } from "vitest";

import { newImprint } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, type Site, visit } from "@/test/visits";

const { db } = await createTestDatabase({ poolSize: 20 });

const deliveryOf = async (site: Site, imprint: string, acceptance?: string) => {
  const headers = acceptance === undefined ? {} : { "imprint-acceptance": acceptance };
  return (await readReport(site.apiKey, imprint, headers)).headers.get("imprint-delivery");
};

test("without an acceptance only the very first read is `first`, whatever is sent later", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  expect(await deliveryOf(site, imprint)).toBe("first");
  for (const acceptance of [undefined, "order-1"]) expect(await deliveryOf(site, imprint, acceptance)).toBe("repeat");
});

test("every read with the winning acceptance is `first`, all others are `repeat`, and acceptances are compared exactly", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const others = ["order-2", "ORDER-1", "order-1,", "~".repeat(128), undefined];
  expect(await deliveryOf(site, imprint, "order-1")).toBe("first");
  for (const other of others) expect([other, await deliveryOf(site, imprint, other)]).toEqual([other, "repeat"]);
  expect(await deliveryOf(site, imprint, "order-1")).toBe("first");
});

test("one acceptance id can accept several imprints", async () => {
  const site = await createSite(db);
  const imprints = [await visit(site), await visit(site)].map(({ imprint }) => imprint);
  for (const imprint of imprints) expect(await deliveryOf(site, imprint, "session-7")).toBe("first");
});

test("of 20 concurrent acceptances with three reads each exactly one is `first`, in all of its reads", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const ids = Array.from({ length: 60 }, (_, index) => `attempt-${index % 20}`);
  const told = await Promise.all(ids.map((id) => deliveryOf(site, imprint, id)));
  const firsts = ids.filter((_, index) => told[index] === "first");
  expect(firsts).toHaveLength(3);
  expect(new Set(firsts).size).toBe(1);
});

test("the delivery is reported the same way with an account", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  const read = async (acceptance: string) =>
    (await readReport(site.apiKey, imprint, { "x-account-ref": "42", "imprint-acceptance": acceptance })).headers.get(
      "imprint-delivery",
    );
  expect([await read("a"), await read("a"), await read("b")]).toEqual(["first", "first", "repeat"]);
});

test("the headers have the visit's page, surface and age", async () => {
  const site = await createSite(db);
  const { imprint } = await visit(site, { surface: "payment" });
  const { headers } = await readReport(site.apiKey, imprint);
  expect(headers.get("imprint-origin")).toBe(site.origin);
  expect(headers.get("imprint-surface")).toBe("payment");
  expect(Number(headers.get("imprint-age"))).toBeLessThan(60);
});

test.each([
  ["nothing", ""],
  ["a space", "order 1"],
  ["more than 128 characters", "x".repeat(129)],
  ["non-ASCII characters", "caf\u00e9"],
])("an acceptance of %s is refused after the key was checked, and nothing is delivered", async (_, acceptance) => {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  const refused = await readReport(site.apiKey, imprint, { "imprint-acceptance": acceptance });
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
    400,
    "invalid_request",
  ]);
  expect(refused.headers.get("imprint-delivery")).toBeNull();
  expect((await readReport("svc_live_wrong", imprint, { "imprint-acceptance": acceptance })).status).toBe(401);
  expect(await deliveryOf(site, imprint, "order-1")).toBe("first");
});

test("reading an unknown imprint is not a delivery", async () => {
  const site = await createSite(db);
  const { status, headers } = await readReport(site.apiKey, newImprint(Date.now()), { "imprint-acceptance": "a" });
  expect([status, headers.get("imprint-delivery")]).toEqual([404, null]);
});
