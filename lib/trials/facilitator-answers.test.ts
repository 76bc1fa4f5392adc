import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, expect, test } from "vitest";

import { startSandbox } from "@/scripts/sandbox/sandbox";
import { createTestDatabase } from "@/test/database";
import { isAppError } from "@/lib/contract/errors";
import { operatorContext } from "@/test/workspaces";
import { moneyOf, type Purchase, sandboxPorts, startPurchase } from "@/test/trials";
import { recheckTrial } from "./recheck-trial";

/**
 * Every kind of response that a facilitator, or a proxy in front of it, can give to a verification or a settlement. Each
 * is sent once without forwarding the call, and once after the real facilitator has executed it.
 */

const { db } = await createTestDatabase({ poolSize: 24 });
const sandbox = await startSandbox();
const PRICE = 1_000_000n;
const operator = operatorContext(db);
afterAll(() => sandbox.close());

type Route = "verify" | "settle";
/** Responds in place of the facilitator; `official` is the real response, if the call was forwarded. */
type Fault = (response: ServerResponse, official: string | undefined) => void;

const send =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
const json = (body: unknown, status = 200) => send(status, JSON.stringify(body));
const settled = (changes: object) =>
  json({ success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:31337", ...changes });

/** Responses that say nothing about the call. */
const UNREADABLE: Record<string, Fault> = {
  "an empty 200": send(200, ""),
  "a 204": send(204, ""),
  "a 200 with a page": send(200, "<html>maintenance</html>", { "content-type": "text/html" }),
  "a truncated object": send(200, '{"success":tr'),
  null: send(200, "null"),
  "a list": send(200, "[]"),
  "a string": send(200, '"ok"'),
  "an empty object": json({}),
  "strings for booleans": json({ isValid: "yes", success: "yes" }),
  "numbers for booleans": json({ isValid: 1, success: 1 }),
  "invalid UTF-8": (response) => response.end(Buffer.of(0x7b, 0xff, 0xfe, 0x7d)),
  "a body without its declared encoding": send(200, "{}", { "content-encoding": "gzip" }),
  "a megabyte of spaces": send(200, " ".repeat(1024 * 1024)),
  "a redirect to a dead port": send(307, "", { location: "http://127.0.0.1:9/" }),
  "a 401": json({ error: "unauthorized" }, 401),
  "a 403": json({ error: "forbidden" }, 403),
  "a 404": send(404, "not found", { "content-type": "text/plain" }),
  "a 408": send(408, ""),
  "a 409": json({ error: "conflict" }, 409),
  "a 413": send(413, ""),
  "a 429": json({ error: "slow down" }, 429),
  "a 500": json({ error: "internal error" }, 500),
  "a 502 with a page": send(502, "<html>bad gateway</html>", { "content-type": "text/html" }),
  "a 503": send(503, "", { "retry-after": "1" }),
  "a 504": send(504, ""),
  "a 520": send(520, ""),
  "a reset connection": (response) => response.socket?.resetAndDestroy(),
  "a closed connection": (response) => response.socket?.end(),
  "a response that is not HTTP": (response) => response.socket?.end("220 mail.example ESMTP\r\n\r\n"),
  "a response that breaks off": (response, official) => {
    response.writeHead(200, { "content-length": "1000" }).write((official ?? '{"success":true').slice(0, 15));
    response.socket?.destroySoon();
  },
  silence: () => undefined,
  "headers without a body": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  },
};

/** Wrong or false settlement results. */
const MISLEADING: Record<string, Fault> = {
  "a success without a transaction": settled({ transaction: undefined }),
  "a success with an empty transaction": settled({ transaction: "" }),
  "a success with a truncated transaction": settled({ transaction: "0xabc" }),
  "a success with an unknown transaction": settled({}),
  "a success on another network": settled({ network: "eip155:8453" }),
  "a success by another payer": settled({ payer: `0x${"11".repeat(20)}` }),
  "a false failure": json({ success: false, errorReason: "invalid_transaction_state", transaction: "" }),
  "a failure with status 400": json({ success: false, errorReason: "invalid_payload", transaction: "" }, 400),
  "a failure with a long reason": json({ success: false, errorReason: "x".repeat(5_000), transaction: "" }),
  "a failure without a reason": json({ success: false, transaction: "" }),
  "a pending settlement": json({ success: false, errorReason: "settlement_pending", transaction: "" }),
};

/** A proxy in front of the sandbox's facilitator that answers the next call of a route with a fault and forwards all others. */
async function openFaultyFacilitator(route: Route, fault: Fault, isPassedOn: boolean) {
  let isFaulty = true;
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? "/";
      const ask = async () => {
        const sent = request.method === "GET" ? {} : { body: await text(request) };
        const headers = { "content-type": "application/json" };
        return await fetch(`${sandbox.variables.X402_FACILITATOR_URL}${path}`, {
          ...{ method: request.method ?? "GET", headers },
          ...sent,
        });
      };
      if (isFaulty && path === `/${route}`) {
        isFaulty = false;
        fault(response, isPassedOn ? await (await ask()).text() : undefined);
        return;
      }
      const official = await ask();
      send(official.status, await official.text())(response, undefined);
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MAX_TRIES = 10;

/** Presents a payment. If a busy machine could not verify it in time, nothing was submitted and it is presented again. */
async function present({ activate }: Purchase, signature: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await activate(signature)).status;
    } catch (error) {
      if (tries === MAX_TRIES || !isAppError(error) || error.code !== "payment_unavailable") throw error;
    }
  }
}

/** One purchase in which the first call of a route is answered with a fault. */
async function buyThrough(name: string, route: Route, fault: Fault, isPassedOn: boolean) {
  const facilitator = await openFaultyFacilitator(route, fault, isPassedOn);
  const variables = { ...sandbox.variables, X402_FACILITATOR_URL: facilitator.url };
  const ports = sandboxPorts({ ...sandbox, variables });
  const purchase = await startPurchase(db, sandbox, ports);
  const signature = await purchase.sign();
  const presented = route === "settle" ? present(purchase, signature) : purchase.activate(signature);
  const first = await presented.then(
    (answer) => (typeof answer === "number" ? answer : answer.status),
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
  return {
    name,
    first,
    purchase,
    signature,
    recheck: async () => (await recheckTrial(operator, { intentId: purchase.intentId }, ports)).status,
    /** What was paid and delivered in the end. */
    result: async () => {
      facilitator.close();
      const spent = 10n * PRICE - sandbox.chain.token.balanceOf(purchase.buyer.account.address);
      return { name, first, spent, ...(await moneyOf(db, purchase.intentId)) };
    },
  };
}

/** Concurrency that keeps the machine busy without delaying real responses beyond their timeout. */
const AT_ONCE = 6;

async function inWorkers<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const ONCE = { spent: PRICE, settled: 1, open: 0, grants: 1, status: "active" };
const SETTLEMENTS = { ...UNREADABLE, ...MISLEADING };
const allOf = (faults: Record<string, Fault>) => Object.entries(faults).map(([name, fault]) => ({ name, fault }));

test(
  "whatever the response to a verification, nothing is taken, and the same payment buys afterwards",
  { timeout: 120_000 },
  async () => {
    await inWorkers(allOf(UNREADABLE), async ({ name, fault }) => {
      const { first, purchase, signature, result } = await buyThrough(name, "verify", fault, false);
      expect([name, first]).toEqual([name, expect.stringMatching(/^(?:facilitator_error|payment_unavailable)$/)]);
      expect(await moneyOf(db, purchase.intentId)).toMatchObject({ settled: 0, open: 0, status: "payment_required" });
      expect([name, await present(purchase, signature)]).toEqual([name, 200]);
      expect(await result()).toMatchObject({ ...ONCE, failed: 0 });
    });
  },
);

test(
  "whatever the response to a settlement that was made, it is found, and no other payment is requested",
  { timeout: 120_000 },
  async () => {
    await inWorkers(allOf(SETTLEMENTS), async ({ name, fault }) => {
      const { first, purchase, recheck, result } = await buyThrough(name, "settle", fault, true);
      expect([name, first]).toEqual([name, expect.toBeOneOf([200, 202])]);
      await expect.poll(recheck, { timeout: 20_000 }).toBe("active");
      expect([name, (await purchase.activate()).status]).toEqual([name, 200]);
      expect(await result()).toMatchObject({ ...ONCE, failed: 0 });
    });
  },
);

test(
  "whatever the response to a settlement that was not made, another payment is requested only when this one is dead",
  { timeout: 120_000 },
  async () => {
    const bought: Awaited<ReturnType<typeof buyThrough>>[] = [];
    await inWorkers(allOf(SETTLEMENTS), async ({ name, fault }) => {
      const purchase = await buyThrough(name, "settle", fault, false);
      expect([name, purchase.first]).toEqual([name, 202]);
      expect([name, (await purchase.purchase.activate()).status]).toEqual([name, 202]);
      bought.push(purchase);
    });
    await sandbox.chain.advance(300);
    await inWorkers(bought, async ({ recheck }) => {
      await expect.poll(recheck, { timeout: 20_000 }).toBe("payment_failed");
    });
    await inWorkers(bought, async ({ name, purchase, result }) => {
      expect([name, await present(purchase, await purchase.sign())]).toEqual([name, 200]);
      expect(await result()).toMatchObject({ ...ONCE, failed: 1 });
    });
  },
);
