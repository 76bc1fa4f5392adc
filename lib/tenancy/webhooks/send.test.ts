import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { idToUuid, newId } from "@/lib/contract/ids";
import { webhookMessage } from "@/lib/contract/webhooks";
import { createTestDatabase } from "@/test/database";
import { operatorContext } from "@/test/workspaces";
import {
  announceOnce,
  endWaitsOfEarlierClock,
  readQueueFigures,
  resumeEndpoint,
  rotateSecret,
  sendTestEvent,
} from "./index";
import { resendDelivery } from "./send-again";
import { createPostMessage } from "./post-message";
import { claimDeliveries } from "./queries-send";
import { sendAllDue } from "./send-due";
import { nameIn, setupOf, startTarget, testPorts, verified } from "@/test/webhooks";

const { db } = await createTestDatabase({ poolSize: 20 });
const never = new AbortController().signal;
const HOUR = 3600;
const createSetup = setupOf(db);

test("a message is signed as Standard Webhooks specifies, and matches the schema of its type", async () => {
  const setup = await createSetup();
  await setup.tell();
  await setup.send();
  const [message] = setup.target.received;
  if (!message) throw new Error("nothing was received");
  webhookMessage("key.created").parse(verified(setup.secret, message));
  expect(message.headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(() => verified(`whsec_${Buffer.alloc(32).toString("base64")}`, message)).toThrow();
  expect(() => verified(setup.secret, { ...message, body: message.body.replace("server", "Server") })).toThrow();
  expect(await setup.deliveries()).toMatchObject([{ state: "delivered", attempts: 1, lastStatus: 204 }]);
});

test("during the overlap of a rotation both secrets verify, afterwards only the new one", async () => {
  const setup = await createSetup();
  const { secret } = await rotateSecret(operatorContext(db), { ...setup, overlap: "1h" });
  await setup.tell();
  await setup.send();
  for (const known of [setup.secret, secret])
    verified(known, setup.target.received[0] ?? { path: "", body: "", headers: {} });
  setup.pass(HOUR + 1);
  await setup.tell();
  await setup.send();
  const [, later] = setup.target.received;
  expect(later?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
});

test.each([
  ["a redirect", (response) => response.writeHead(307, { location: "/other" }).end(), { lastStatus: 307 }],
  ["a refusal", (response) => response.writeHead(400).end("no"), { lastStatus: 400, lastAnswer: "no" }],
  ["a failure", (response) => response.writeHead(503).end(), { lastStatus: 503 }],
  ["a connection that closes midway", (response) => response.destroy(), { lastStatus: null }],
] satisfies [string, Parameters<typeof startTarget>[0], object][])(
  "%s is not a delivery: the message stays, and is retried until it is accepted",
  async (_name, answer, shown) => {
    const setup = await createSetup(answer);
    await setup.tell();
    await setup.send();
    expect(await setup.deliveries()).toMatchObject([{ state: "pending", attempts: 1, ...shown }]);
    await setup.send();
    expect(setup.target.received).toHaveLength(1);
    setup.target.answerWith((response) => response.writeHead(200).end());
    setup.pass(10);
    await setup.send();
    expect(setup.target.received).toHaveLength(2);
    const [first, second] = setup.target.received;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect(second?.path).toBe("/events");
    expect(await setup.deliveries()).toMatchObject([{ state: "delivered", attempts: 2 }]);
  },
);

test("an endless response is cut off, and its status counts", async () => {
  const setup = await createSetup((response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, "x")));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  });
  await setup.tell();
  await setup.send();
  const [delivery] = await setup.deliveries();
  expect(delivery).toMatchObject({ state: "delivered", lastStatus: 200 });
  expect(delivery?.lastAnswer).toHaveLength(1024);
});

test("control characters and NUL in a response are replaced, and the response is stored", async () => {
  const setup = await createSetup((response) => response.writeHead(200).end("a\0b\u001b[31m"));
  await setup.tell();
  await setup.send();
  expect((await setup.deliveries())[0]?.lastAnswer).toBe("a\uFFFDb\uFFFD[31m");
});

test("a success response after the timeout does not count: the message is sent again, under the same id", async () => {
  const late: (() => void)[] = [];
  const target = await startTarget((response) => late.push(() => response.writeHead(200).end()));
  onTestFinished(target.close);
  const post = createPostMessage({ mayBePrivate: true, timeoutMs: 50 });
  const answer = await post({ url: target.url, headers: {}, payload: "{}" }, never);
  for (const finish of late) finish();
  expect(answer).toMatchObject({ status: undefined, problem: "no response within 0.05 seconds" });
});

test.each([
  "http://localhost",
  "http://127.0.0.1",
  "http://[::1]",
  "http://[::ffff:127.0.0.1]",
  "http://2130706433",
  "http://0.0.0.0",
])("nothing is sent to %s, which resolves to a private network", async (base) => {
  const target = await startTarget();
  onTestFinished(target.close);
  const post = createPostMessage({ mayBePrivate: false });
  const answer = await post({ url: `${base}:${target.port}/`, headers: {}, payload: "{}" }, never);
  expect([answer.status, answer.problem]).toEqual([undefined, expect.stringContaining("private network")]);
  expect(target.received).toEqual([]);
});

test("a webhook cannot probe a private network: no connection is made, and open and closed ports look the same", async () => {
  let connections = 0;
  const server = createServer(() => (connections += 1)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: open } = server.address() as AddressInfo; // safe: it listens on a port
  const { port: closed, close } = await startTarget();
  close();
  onTestFinished(() => {
    server.close();
  });
  const post = createPostMessage({ mayBePrivate: false });
  const problems = ["127.0.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "localhost"].flatMap((host) =>
    [open, closed].map((port) => post({ url: `https://${host}:${port}/`, headers: {}, payload: "{}" }, never)),
  );
  expect(new Set((await Promise.all(problems)).map(({ problem }) => problem))).toEqual(
    new Set(["the URL resolves to a private network, where nothing is sent"]),
  );
  expect(connections).toBe(0);
});

test("410 Gone disables the endpoint at once; waiting messages are kept, and sent when it is resumed", async () => {
  const setup = await createSetup((response) => response.writeHead(410).end());
  await setup.tell();
  await setup.send();
  expect(await setup.endpoint()).toMatchObject({ state: "disabled", disabledBecause: "It answered 410 Gone" });
  await setup.tell();
  expect(await setup.deliveries()).toHaveLength(1);
  setup.target.answerWith((response) => response.writeHead(204).end());
  await resumeEndpoint(operatorContext(db), setup);
  await setup.send();
  expect(setup.target.received).toHaveLength(2);
  expect(await setup.deliveries()).toMatchObject([{ state: "delivered" }]);
});

test("after an hour in which the target was unreachable, every message arrives, in order", async () => {
  const setup = await createSetup((response) => response.destroy());
  const keyIds = Array.from({ length: 5 }, () => newId("apiKey"));
  for (let minute = 0; minute < 60; minute += 1) {
    await setup.tell(keyIds[minute % 5], `event ${minute}`);
    setup.pass(60);
    await setup.send();
  }
  const attempts = setup.target.received.length;
  expect(attempts).toBeGreaterThan(5);
  expect(attempts).toBeLessThan(60);
  setup.target.answerWith((response) => response.writeHead(204).end());
  setup.pass(15 * 60);
  for (let round = 0; setup.target.received.length < attempts + 60 && round < 60; round += 1) {
    await setup.send();
    setup.pass(2);
  }
  const arrived = setup.target.received.slice(attempts);
  expect(arrived.map(nameIn).sort()).toEqual(Array.from({ length: 60 }, (_, minute) => `event ${minute}`).sort());
  for (const keyId of keyIds) {
    const ofKey = arrived.filter(({ body }) => body.includes(keyId)).map((each) => Number(nameIn(each).slice(6)));
    expect(ofKey).toEqual([...ofKey].sort((one, other) => one - other));
  }
  expect(await setup.endpoint()).toMatchObject({ state: "active", failingSince: null });
});

test("an endpoint is disabled after it has accepted nothing for three days, and not before", async () => {
  const setup = await createSetup((response) => response.writeHead(500).end());
  await setup.tell();
  let hours = 0;
  for (; (await setup.endpoint()).state === "active" && hours < 100; hours += 1) {
    await setup.send();
    setup.pass(HOUR);
  }
  expect(hours).toBeGreaterThan(72);
  expect(hours).toBeLessThan(82);
  expect(await setup.endpoint()).toMatchObject({
    state: "disabled",
    disabledBecause: "It accepted nothing for 3 days",
  });
  expect(await setup.deliveries()).toMatchObject([{ state: "pending" }]);
  const entries = await db.execute(sql`
    select action from audit_log where workspace_id = ${idToUuid(setup.workspaceId)}::uuid and action like 'webhook.%'`);
  expect(entries).toEqual([{ action: "webhook.disable" }]);
  expect((await readQueueFigures(db)).disabled).toBeGreaterThan(0);
});

test("a repeatedly refused message blocks its own stream only; after three days it is given up", async () => {
  const setup = await createSetup((response, { body }) =>
    response.writeHead(body.includes("poison") ? 500 : 204).end(),
  );
  const keyId = newId("apiKey");
  await setup.tell(keyId, "poison");
  await setup.tell(keyId, "after it");
  await setup.tell(undefined, "other");
  await setup.send();
  expect(setup.target.received.map(nameIn).sort()).toEqual(["other", "poison"]);
  for (let hours = 0; hours < 80; hours += 1) {
    setup.pass(HOUR);
    await setup.tell(undefined, `hour ${hours}`);
    await setup.send();
  }
  expect(await setup.endpoint()).toMatchObject({ state: "active" });
  const states = (
    await db.execute<{ state: string; body: string }>(sql`
    select state, payload as body from webhook_deliveries where workspace_id = ${idToUuid(setup.workspaceId)}::uuid`)
  ).filter((row) => row.state !== "delivered");
  expect(states.map(nameIn)).toEqual(["poison"]);
  expect(states[0]?.state).toBe("failed");
  expect(setup.target.received.map(nameIn)).toContain("after it");
});

test("a sender killed between sending and recording sends again after its lease: at least once, nothing lost", async () => {
  const setup = await createSetup();
  await setup.tell();
  const { ports, pass } = testPorts();
  const lost = {
    ...ports,
    post: async (...message: Parameters<typeof ports.post>) => {
      await ports.post(...message);
      throw new Error("killed");
    },
  };
  await sendAllDue(db, lost, never);
  expect(setup.target.received).toHaveLength(1);
  await sendAllDue(db, ports, never);
  expect(setup.target.received).toHaveLength(1);
  pass(46);
  await sendAllDue(db, ports, never);
  expect(setup.target.received).toHaveLength(2);
  expect(new Set(setup.target.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await setup.deliveries()).toMatchObject([{ state: "delivered" }]);
});

test("what waited for a later time, or was claimed, when the clock was set back is sent at once", async () => {
  const setup = await createSetup((response) => response.destroy());
  const ofWorkspace = sql`workspace_id = ${idToUuid(setup.workspaceId)}::uuid`;
  await setup.tell(undefined, "waiting");
  await setup.tell(undefined, "claimed");
  await db.execute(sql`update webhook_deliveries set due_at = now() + interval '1 day',
    lease = case when payload like '%claimed%' then gen_random_uuid() end where ${ofWorkspace}`);
  await db.execute(sql`update webhook_endpoints set retry_at = now() + interval '1 day' where ${ofWorkspace}`);
  setup.target.answerWith((response) => response.writeHead(204).end());
  await setup.send();
  expect(setup.target.received).toEqual([]);
  await endWaitsOfEarlierClock(db, 0);
  await setup.send();
  expect(setup.target.received.map(nameIn).sort()).toEqual(["claimed", "waiting"]);
});

test("many senders share the queue: each message is claimed by one of them", async () => {
  const setup = await createSetup();
  for (let index = 0; index < 40; index += 1) await setup.tell();
  const endpoint = { workspaceId: setup.workspaceId, endpointId: setup.endpointId };
  const taken = await Promise.all(
    Array.from({ length: 8 }, () =>
      claimDeliveries(db, endpoint, { limit: 10, lease: crypto.randomUUID(), leaseSeconds: 45, shift: 0 }),
    ),
  );
  const ids = taken.flatMap(({ claimed }) => claimed.map(({ deliveryId }) => deliveryId));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(8);
});

test("a message can be sent again under its id; one that is still waiting cannot", async () => {
  const setup = await createSetup();
  await setup.tell();
  const context = operatorContext(db);
  const [waiting] = await setup.deliveries();
  const again = { workspaceId: setup.workspaceId, deliveryId: waiting?.deliveryId ?? "" };
  await expect(resendDelivery(context, again)).rejects.toMatchObject({ code: "conflict" });
  await setup.send();
  await resendDelivery(context, again);
  await setup.send();
  expect(setup.target.received).toHaveLength(2);
  expect(new Set(setup.target.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a test event is sent to the endpoint regardless of its subscription", async () => {
  const setup = await createSetup();
  await sendTestEvent(operatorContext(db), setup);
  await setup.send();
  webhookMessage("webhook.test").parse(JSON.parse(setup.target.received[0]?.body ?? "null"));
});

test("a polled event is announced once, also under concurrency", async () => {
  const setup = await createSetup();
  const keyId = newId("apiKey");
  const data = { workspace_id: setup.workspaceId, key_id: keyId, name: "server", expires_at: null };
  const event = { type: "key.revoked", name: keyId, streamId: keyId, workspaceId: setup.workspaceId, data } as const;
  const told = await Promise.all(Array.from({ length: 5 }, () => db.transaction((tx) => announceOnce(tx, event))));
  expect(told.filter(Boolean)).toHaveLength(1);
  await setup.send();
  expect(setup.target.received).toHaveLength(1);
});
