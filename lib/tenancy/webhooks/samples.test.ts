import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { WEBHOOK_EVENTS, type WebhookEventType, webhookMessage } from "@/lib/contract/webhooks";
import { createManagementKey } from "@/lib/tenancy/management";
import { createTestDatabase } from "@/test/database";
import { call, createSite } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { createPostMessage } from "./post-message";
import { newSigningSecret, signMessage } from "./secret";
import { startTarget } from "@/test/webhooks";

const { db } = await createTestDatabase();
const FOLDER = "examples/quickstart";
const run = promisify(execFile);
const samples = JSON.parse(readFileSync(`${FOLDER}/webhooks.json`, "utf8")) as { type: WebhookEventType }[];

test("the documented messages cover each type once, as in the contract", () => {
  expect(samples.map(({ type }) => type)).toEqual(Object.keys(WEBHOOK_EVENTS));
  for (const sample of samples) webhookMessage(sample.type).parse(sample);
});

test("the documented receiver accepts our messages once, and none that is altered, old or unsigned", async () => {
  const secret = newSigningSecret();
  const { port, close } = await startTarget();
  close();
  const environment = { ...process.env, PORT: String(port), IMPRINT_WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, [`${FOLDER}/webhook.mjs`], { env: environment });
  onTestFinished(() => {
    receiver.kill("SIGKILL");
  });
  let printed = "";
  receiver.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const post = createPostMessage({ mayBePrivate: true });
  const payload = JSON.stringify(samples[0]);
  const send = async (change: { secret?: string; body?: string; ageSeconds?: number; id?: string } = {}) => {
    const id = change.id ?? `evt_${"0".repeat(32)}`;
    const timestampSeconds = Math.floor(Date.now() / 1000) - (change.ageSeconds ?? 0);
    const signature = signMessage([change.secret ?? secret], { id, timestampSeconds, payload });
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestampSeconds), "webhook-signature": signature };
    const url = `http://127.0.0.1:${port}/`;
    return (await post({ url, headers, payload: change.body ?? payload }, new AbortController().signal)).status;
  };
  await expect.poll(send, { timeout: 20_000 }).toBe(204);
  expect(await send()).toBe(204);
  for (const change of [
    { secret: newSigningSecret() },
    { body: payload.replace("SUSPICIOUS", "PASS") },
    { ageSeconds: 600 },
  ])
    expect(await send(change)).toBe(401);
  // A client that disconnects in the middle of a request ends only that request, not the receiver.
  const broken = connect(port, "127.0.0.1");
  broken.write("POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 100\r\n\r\n{", () => broken.resetAndDestroy());
  await once(broken, "close");
  expect(await send({ id: `evt_${"1".repeat(32)}` })).toBe(204);
  await expect.poll(() => printed.split("\n")).toHaveLength(3);
  expect(printed).toContain("imp_019aa5de0c5b7a1e9f3b52c4d81f7bd4 SUSPICIOUS");
});

test.each(["", "whsec_", undefined])("with the secret %j the documented receiver does not start", async (secret) => {
  const env = { ...process.env, PORT: "0", IMPRINT_WEBHOOK_SECRET: secret };
  const started = run(process.execPath, [`${FOLDER}/webhook.mjs`], { env, timeout: 20_000 });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("IMPRINT_WEBHOOK_SECRET") as string,
  });
});

test("the two documented pipeline commands add and remove a preview's origin, also when repeated", async () => {
  const site = await createSite(db);
  const { secret } = await createManagementKey(operatorContext(db), {
    workspaceId: site.workspaceId,
    name: "previews",
    scopes: ["origins"],
  });
  const api = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = request;
      const body = await text(request);
      const answer = await call(url, {
        method,
        headers: headers as Record<string, string>,
        ...(body !== "" && { body }),
      });
      response.writeHead(answer.status).end(await answer.text());
    })();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    api.close();
  });
  await once(api, "listening");
  const { port } = api.address() as AddressInfo; // safe: it listens on a port
  const script = readFileSync(`${FOLDER}/preview-origin.sh`, "utf8").replaceAll(
    "https://imprint.example.com",
    `http://127.0.0.1:${port}`,
  );
  const env = {
    ...process.env,
    IMPRINT_MANAGEMENT_KEY: secret,
    IMPRINT_WEB_APP: site.webAppId,
    PREVIEW_ORIGIN: "https://preview-7.shop.example",
  };
  const { stdout } = await run("bash", ["-c", `${script}\nadd && add && drop && drop`], { env });
  expect(stdout.match(/"origin":"https:\/\/preview-7.shop.example"/g)).toHaveLength(4);
  expect(stdout.match(/"removed":(true|false)/g)).toEqual(['"removed":true', '"removed":false']);
});
