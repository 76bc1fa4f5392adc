import { expect, test } from "vitest";

import { openEmbedded } from "@/db/embedded";
import { makeDataDir, removeDataDir, startService, statusOf, stopService } from "./service";

test("the service survives a restart of its database without being restarted", async () => {
  const databaseDir = makeDataDir();
  const dataDir = makeDataDir();
  const first = await openEmbedded({ dataDir: databaseDir, binDir: undefined });
  const service = await startService({ dataDir, environment: { DATABASE_URL: first.url } });
  const ready = `${service.url}/readyz`;
  expect(await statusOf(ready)).toBe(200);
  expect(await first.close()).toBe("stopped");
  await expect.poll(() => statusOf(ready), { timeout: 20_000 }).toBe(503);
  const response = await fetch(ready);
  expect(await response.json()).toMatchObject({ status: "unavailable", checks: { database: "failed" } });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);

  const second = await openEmbedded({ dataDir: databaseDir, binDir: undefined });
  expect(second.url).toBe(first.url);
  await expect.poll(() => statusOf(ready), { timeout: 20_000 }).toBe(200);
  expect(await stopService(service)).toBe(0);
  await second.close();
  removeDataDir(databaseDir);
  removeDataDir(dataDir);
});
