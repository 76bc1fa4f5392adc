import { afterAll, beforeAll, expect, test } from "vitest";

import { STATEMENT_DEADLINE_MS } from "@/db/deadlines";
import { asAdministrator, createTestDatabase } from "@/test/database";
import { type FaultProxy, openFaultProxy } from "@/scripts/faults/fault-proxy";
import { statusOf } from "./process/service";
import {
  codeOf,
  createSite,
  readReport,
  requestChallenge,
  type RunningService,
  type Site,
  startService,
  visit,
} from "./service";

/**
 * A request waits for up to two statements of an unresponsive database, each until its deadline; three would take
 * longer than this.
 */
const LONGEST_WAIT_MS = 3 * STATEMENT_DEADLINE_MS - 500;

const { url: databaseUrl, name: databaseName } = await createTestDatabase();
let faultProxy: FaultProxy;
let service: RunningService;
let site: Site;
let imprint: string;

beforeAll(async () => {
  faultProxy = await openFaultProxy(databaseUrl);
  service = await startService({ databaseUrl: faultProxy.url });
  site = await createSite(service);
  imprint = await visit(service.url, site);
  expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
});
afterAll(async () => {
  await service.stop();
  await faultProxy.close();
});

test.each([
  ["refuses connections", (at: FaultProxy) => at.cut()],
  ["swallows everything", (at: FaultProxy) => at.stall()],
])(
  "with a database that %s, requests get 503 in the envelope within the deadline; afterwards everything works again",
  async (_name, shut) => {
    await shut(faultProxy);
    const startedAt = performance.now();
    const answers = await Promise.all([
      readReport(service.url, site.apiKey, imprint),
      fetch(`${service.url}/api/v1/imprints/challenge`, {
        method: "POST",
        headers: { Origin: site.origin },
        body: JSON.stringify({ environment_id: site.environmentId }),
      }),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_WAIT_MS);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(answer.headers.get("link")).toBe('</docs/errors/service_unavailable>; rel="help"');
      expect(await codeOf(answer)).toBe("service_unavailable");
    }
    expect(await statusOf(`${service.url}/readyz`)).toBe(503);
    expect(await statusOf(`${service.url}/healthz`)).toBe(200);

    await faultProxy.reopen();
    await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 20_000 }).toBe(200);
    expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
    expect((await requestChallenge(service.url, site)).challenge).toMatch(/^[\w-]+$/);
    const later = await visit(service.url, site);
    expect((await readReport(service.url, site.apiKey, later)).status).toBe(200);
  },
);

test("with a read-only database, delivered Reports are served and everything else gets 503, until connections move to a writable one", async () => {
  const undelivered = await visit(service.url, site);
  await asAdministrator(`alter database ${databaseName} set default_transaction_read_only = on`);
  await faultProxy.cut();
  await faultProxy.reopen();
  await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 20_000 }).toBe(503);
  const rereads = await Promise.all(Array.from({ length: 20 }, () => readReport(service.url, site.apiKey, imprint)));
  expect(rereads.map(({ status }) => status)).toEqual(rereads.map(() => 200));
  const first = await readReport(service.url, site.apiKey, undelivered);
  expect([first.status, first.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await codeOf(first)).toBe("service_unavailable");

  // Open connections stay read-only; only the service itself can replace them.
  await asAdministrator(`alter database ${databaseName} set default_transaction_read_only = off`);
  await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 20_000 }).toBe(200);
  expect((await readReport(service.url, site.apiKey, undelivered)).status).toBe(200);
  const later = await visit(service.url, site);
  expect((await readReport(service.url, site.apiKey, later)).status).toBe(200);
});
