import { setTimeout as delay } from "node:timers/promises";

import type { Database } from "@/db/client";
import { insertTestEndpoint, startTarget } from "@/test/webhooks";
import { createSite } from "@/test/visits";
import type { CleanUp } from "../common/command";
import { randomOf } from "../common/random";
import type { Service } from "../common/service";
import { startVisitors } from "../common/visitors";
import { buyOnce } from "../faults/buy-once";
import { findViolations, readStored } from "../faults/purchases";
import type { Sandbox } from "../sandbox/sandbox";

const VISITORS = 4;
const BUYERS = 2;
const PAUSE_MS = 500;
/** The newest visits may not have reached the replica yet. */
const RECENT_VISITS = 200;
/** One in this many webhook messages is refused. */
const REFUSED_EVERY = 10;

type Options = { service: Service; sandbox: Sandbox; db: Database; seed: number };

/** Starts buyers that buy trials in sequence until they are stopped; reports violations. */
async function startBuyers({ service, sandbox, db, seed }: Options) {
  const [before, incomeBefore, random] = [await readStored(db), sandbox.income(), randomOf(seed)];
  const accounts: string[] = [];
  const broken: string[] = [];
  const stopping = new AbortController();
  const buy = async () => {
    while (!stopping.signal.aborted) {
      const { address, violations } = await buyOnce({ sandbox, url: service.address, random });
      accounts.push(address);
      broken.push(...violations.map((text) => `${address}: ${text}`));
      await delay(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: BUYERS }, buy));
  return {
    count: () => accounts.length,
    async stop(): Promise<string[]> {
      stopping.abort();
      await running;
      const after = await readStored(db);
      return [...broken, ...findViolations({ sandbox }, { accounts, before, after, incomeBefore })];
    },
  };
}

type Visitors = ReturnType<typeof startVisitors>;

/** Starts a client that reads the History of visits old enough to be on the replica; counts statuses. */
function startHistorian({ address }: Service, apiKey: string, { acknowledged }: Visitors) {
  const outcomes: Record<string, number> = {};
  const stopping = new AbortController();
  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const read = async (imprint: string) => {
    const url = `${address}/api/v1/fingerprint/imprint/${imprint}/history`;
    const response = await fetch(url, { headers: { "X-API-Key": apiKey } });
    await response.arrayBuffer();
    count(`history ${response.status}`);
  };
  const running = (async () => {
    for (let index = 0; !stopping.signal.aborted; index += 1) {
      const imprint = acknowledged[index % Math.max(1, acknowledged.length - RECENT_VISITS)];
      if (imprint !== undefined) await read(imprint).catch((error: unknown) => count(`history ${String(error)}`));
      await delay(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      return outcomes;
    },
  };
}

/**
 * Starts visitors, buyers, a reader of Histories, and an endpoint that receives each visit and initially refuses every
 * tenth message.
 */
export async function startLoad(options: Options, cleanUp: CleanUp) {
  const { service, db } = options;
  const site = await createSite(db);
  let arrivals = 0;
  const target = await startTarget((response) => {
    arrivals += 1;
    response.writeHead(arrivals % REFUSED_EVERY === 0 ? 503 : 204).end();
  });
  cleanUp.push(target.close);
  await insertTestEndpoint(db, site.workspaceId, target.url);
  const visitors = startVisitors({ address: service.address, site, count: VISITORS });
  const buyers = await startBuyers(options);
  const historian = startHistorian(service, site.apiKey, visitors);
  return { site, target, visitors, buyers, historian };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;
