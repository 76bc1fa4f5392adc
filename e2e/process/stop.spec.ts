import { Agent, get } from "node:http";

import { afterAll, expect, test } from "vitest";

import { openRequest } from "./open-request";
import {
  isRunning,
  launch,
  makeDataDir,
  postmasterOf,
  processTree,
  removeDataDir,
  type Service,
  startService,
  statusOf,
  stopService,
} from "./service";

/** Shared by all tests, which do not affect each other; creating one takes seconds. */
const dataDir = makeDataDir();
afterAll(() => {
  removeDataDir(dataDir);
});

test("after SIGTERM to npm the request in flight is answered, then npm, node and PostgreSQL exit with code 0", async () => {
  const service = await startService({ dataDir, byNpm: true });
  const { pid } = service.root;
  const everyone = [...processTree(pid ?? 0), postmasterOf(dataDir)];
  expect(everyone.length).toBeGreaterThanOrEqual(3);
  const request = await openRequest(service.port);
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);
  service.signal("SIGTERM");
  await expect.poll(() => statusOf(`${service.url}/healthz`), { interval: 20 }).toBe(0);
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await service.ended).toBe(0);
  expect(everyone.filter(isRunning)).toEqual([]);
});

/** Status of one request on a connection of the agent. */
const statusOver = (agent: Agent, url: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once("end", () => {
        resolve(response.statusCode ?? 0);
      });
    }).once("error", reject);
  });

type Stop = (service: Service) => void;
const pressCtrlC: Stop = (service) => {
  service.pressCtrlC();
};
const inGroup =
  (signal: NodeJS.Signals): Stop =>
  (service) => {
    service.signalGroup(signal);
  };
type Options = Omit<Parameters<typeof startService>[0], "dataDir">;

test.each<[string, Options, Stop]>([
  ["Ctrl-C in a terminal", { isInTerminal: true }, pressCtrlC],
  ["SIGINT to the whole group", { byNpm: true }, inGroup("SIGINT")],
  ["SIGTERM to the whole group, with workers", { byNpm: true, environment: { WORKERS: "2" } }, inGroup("SIGTERM")],
])(
  "%s, which npm forwards again, counts as one signal: requests are answered, and everything exits with 0",
  async (_name, options, stop) => {
    const service = await startService({ dataDir, ...options });
    const everyone = [...processTree(service.root.pid ?? 0), postmasterOf(dataDir)];
    const request = await openRequest(service.port);
    expect(await statusOf(`${service.url}/healthz`)).toBe(200);
    stop(service);
    await expect.poll(() => statusOf(`${service.url}/healthz`), { interval: 20 }).toBe(0);
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await service.ended).toBe(0);
    expect(everyone.filter(isRunning)).toEqual([]);
  },
);

test("during the shutdown delay /readyz returns 503 while old and new connections are served, then everything exits with 0", async () => {
  const environment = { WORKERS: "2", SHUTDOWN_DELAY_SECONDS: "2" };
  const service = await startService({ dataDir, environment });
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await statusOver(kept, `${service.url}/readyz`)).toBe(200);
  service.signalGroup("SIGTERM");
  await expect.poll(() => statusOver(kept, `${service.url}/readyz`), { interval: 20 }).toBe(503);
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);
  const request = await openRequest(service.port);
  await expect.poll(service.output, { timeout: 10_000 }).toContain("requests in flight are answered first");
  expect(await request.finish()).toMatch(/^HTTP\/1\.1 400 [^]*\nConnection: close/i);
  kept.destroy();
  expect(await service.ended).toBe(0);
});

test("a second Ctrl-C, more than a second after the first, does not wait for the request in flight", async () => {
  const service = await startService({ dataDir, isInTerminal: true });
  const request = await openRequest(service.port);
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);
  service.pressCtrlC();
  await expect.poll(() => service.output()).toContain("Stopping");
  const presses = setInterval(service.pressCtrlC, 200);
  const startedAt = performance.now();
  expect(await service.ended).toBe(130);
  clearInterval(presses);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await request.finish()).toBe("");
  // The next start finds and stops whatever was left running.
  expect(await stopService(await startService({ dataDir }))).toBe(0);
  expect(() => postmasterOf(dataDir)).toThrow("ENOENT");
});

test("a second start on the same data directory or port is refused with a message and does not affect the first", async () => {
  const service = await startService({ dataDir });
  const other = makeDataDir();
  const [onFolder, onPort] = [
    launch({ dataDir }),
    launch({ dataDir: other, environment: { PORT: String(service.port) } }),
  ];
  expect(await onFolder.ended).toBe(1);
  expect(onFolder.output()).toContain(`Imprint is already running on ${dataDir}: process `);
  expect(onFolder.output()).toContain(`address ${service.url}`);
  expect(await onPort.ended).toBe(1);
  expect(onPort.output()).toContain(
    `Port ${service.port} is used by another program. Choose another one: PORT=${service.port + 1} npm start`,
  );
  expect(() => postmasterOf(other)).toThrow("ENOENT");
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  expect(await stopService(service)).toBe(0);
  removeDataDir(other);
});
