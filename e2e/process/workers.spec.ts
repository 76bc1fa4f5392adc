import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Connection } from "@/db/client";
import { createSite, type Site } from "@/test/visits";
import { requestChallenge, storedOf, submissionBody, submit, TEST_SECRETS, visit } from "../service";
import { primaryOf, workersOf } from "./processes";
import { openRequest } from "./open-request";
import {
  databaseUrlOf,
  isRunning,
  makeDataDir,
  postmasterOf,
  processTree,
  removeDataDir,
  type Service,
  startService,
  stopService,
} from "./service";

const WORKERS = 2;
const environment = { ...TEST_SECRETS, WORKERS: String(WORKERS), TRUSTED_PROXIES: "loopback" };
/** A killed worker may have been about to receive a connection. */
const ANSWER_MS = 10_000;

const dataDir = makeDataDir();
let service: Service;
let connection: Connection;
let site: Site;

beforeAll(async () => {
  service = await startService({ dataDir, environment });
  const options = { url: databaseUrlOf(dataDir), poolSize: 2, prepare: false, applicationName: "test" };
  connection = connect(options);
  site = await createSite(connection.db);
});
afterAll(async () => {
  await connection.close();
  await stopService(service);
  removeDataDir(dataDir);
});

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** Sends requests repeatedly until aborted; returns the number of each status or failure. */
async function keepReading(url: string, agent: Agent, signal: AbortSignal): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  while (!signal.aborted) {
    const outcome = await new Promise<string>((resolve) => {
      get(url, { agent, headers: { "X-API-Key": site.apiKey } }, (response) => {
        response.resume().once("end", () => {
          resolve(String(response.statusCode));
        });
      }).once("error", (error) => {
        resolve(error.message);
      });
    });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    // Keeps six clients below the key's rate limit.
    await delay(100);
  }
  agent.destroy();
  return outcomes;
}

test("one challenge presented 50 times concurrently to several processes is one visit, and limits are shared", async () => {
  const issued = await requestChallenge(service.url, site);
  const from = (index: number) => ({ "X-Forwarded-For": `198.51.100.${index}` });
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const body = submissionBody(site, issued, `surface-${index}`);
      return (await submit(service.url, site, body, from(index))).status;
    }),
  );
  expect(statuses.sort()).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  expect(await storedOf(connection.db, site)).toMatchObject({ visits: 1, uses: 1 });

  const startedAt = performance.now();
  const headers = { Origin: site.origin, ...from(200) };
  const body = JSON.stringify({ environment_id: site.environmentId });
  const asked = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await fetch(`${service.url}/api/v1/imprints/challenge`, { method: "POST", headers, body });
      await response.body?.cancel();
      return response.status;
    }),
  );
  const allowed = asked.filter((status) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(40);
  expect(allowed).toBeLessThanOrEqual(41 + ((performance.now() - startedAt) / 1000) * 10);
  expect(asked.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});

test("SIGUSR2 replaces every worker without a lost response, on kept-alive and new connections", async () => {
  const imprint = await visit(service.url, site);
  const before = workersOf(service);
  expect(before).toHaveLength(WORKERS);
  const done = new AbortController();
  const clients = [true, true, true, false, false, false].map((keepAlive) =>
    keepReading(
      `${service.url}/api/v1/fingerprint/report/${imprint}`,
      new Agent({ keepAlive, maxSockets: 1 }),
      done.signal,
    ),
  );
  process.kill(primaryOf(service), "SIGUSR2");
  await expect.poll(service.output, { timeout: 90_000, interval: 100 }).toContain("All workers have been replaced");
  done.abort();
  for (const outcomes of await Promise.all(clients)) {
    expect([...outcomes.keys()]).toEqual(["200"]);
    expect(outcomes.get("200")).toBeGreaterThan(10);
  }
  const after = workersOf(service);
  expect(after).toHaveLength(WORKERS);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
});

test("a killed worker is replaced; workers whose main process is killed say so and exit by themselves", async () => {
  const [victim] = workersOf(service);
  process.kill(Number(victim), "SIGKILL");
  await expect.poll(() => workersOf(service).filter((id) => id !== victim).length, { timeout: 60_000 }).toBe(WORKERS);
  await expect.poll(() => answers(`${service.url}/readyz`), { timeout: 60_000 }).toBe(true);
  const orphans = workersOf(service);
  process.kill(primaryOf(service), "SIGKILL");
  await service.ended;
  await expect.poll(service.output).toContain("Imprint ended: its main process was killed or ran out of memory.");
  await expect.poll(() => orphans.filter(isRunning), { timeout: 30_000 }).toEqual([]);

  service = await startService({ dataDir, environment });
  const everyone = [...processTree(service.root.pid ?? 0), postmasterOf(dataDir)];
  expect(workersOf(service)).toHaveLength(WORKERS);
  const request = await openRequest(service.port);
  service.signal("SIGTERM");
  await expect.poll(() => answers(`${service.url}/healthz`), { timeout: 30_000 }).toBe(false);
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await service.ended).toBe(0);
  await expect.poll(() => everyone.filter(isRunning)).toEqual([]);
});
