import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { ADDRESS_LIMITS } from "@/lib/platform/limits";
import { call, createSite, type Site, submissionBody } from "@/test/visits";

const { db } = await createTestDatabase();

const send = (site: Site, body: string, address: string) =>
  call("/api/v1/imprints", { method: "POST", headers: { origin: site.origin }, body, address });

/** Sends invalid JSON until the address is refused. */
async function exhaust(site: Site, address: string): Promise<void> {
  for (let sent = 0; sent <= 2 * ADDRESS_LIMITS.submission.burst; sent += 1)
    if ((await send(site, "{", address)).status === 429) return;
  throw new Error("the address was never refused");
}

/** Sends a valid body from an address over its limit; returns what was parsed of it, and the answer. */
async function sendRefused(site: Site, address: string) {
  const body = submissionBody(site, { challenge: "a".repeat(60) });
  for (;;) {
    await exhaust(site, address);
    const parse = vi.spyOn(JSON, "parse");
    const refused = await send(site, body, address);
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    // On a slow machine another permit may become available between the two.
    if (refused.status === 429) return { body, refused, parsed };
  }
}

test("an address known to be over its limit is refused before its body is parsed, with the same answer", async () => {
  const site = await createSite(db);
  const { body, refused, parsed } = await sendRefused(site, "192.0.2.7");
  expect(parsed).not.toContain(body);
  expect(await refused.json()).toEqual({
    error: { code: "rate_limited", message: "Too many requests; wait and try again" },
  });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    "retry-after": "1",
    ratelimit: '"submission";r=0;t=1',
    "ratelimit-policy": '"submission";q=40;w=4',
    "access-control-allow-origin": site.origin,
  });
});

test("the body size is checked before the limit, and no other address is refused", async () => {
  const site = await createSite(db);
  const address = "192.0.2.8";
  await exhaust(site, address);
  expect((await send(site, "a".repeat(17 * 1024), address)).status).toBe(413);
  expect((await send(site, "{", "192.0.2.9")).status).toBe(400);
});
