import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Clients that load the service as much as they can until they are stopped. */
export type Attack = { count: () => number; stop: () => Promise<void> };

const PAGES = ["/docs/api", "/", "/sign-in", "/docs/quickstart", "/nothing-here"];
/** Client IPs in turn, since limits by IP are not what this tests. */
const addressOf = (index: number) => `203.0.113.${index & 255}`;

/** Requests pages continuously on `connections` connections. */
export function hammerPages(address: string, connections: number, clients: number): Attack {
  let count = 0;
  let isStopped = false;
  const isOver = () => isStopped;
  const run = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = index; !isOver(); round += 1) {
      const headers = { "X-Forwarded-For": addressOf(index % clients) };
      const status = await new Promise<number>((resolve) => {
        get(`${address}${PAGES[round % PAGES.length] ?? "/"}`, { agent, headers }, (response) => {
          response.resume().once("close", () => {
            resolve(response.statusCode ?? 0);
          });
        }).once("error", () => {
          resolve(0);
        });
      });
      if (status === 200 || status === 404) count += 1;
      // Like a browser, a refused client does not retry immediately.
      else await delay(1_000);
    }
    agent.destroy();
  };
  const running = Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  return {
    count: () => count,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** What a slow client sends on a new connection, and then every second. */
const SLOW: Record<string, { first: string; then?: string; reads?: boolean }> = {
  "slow readers": { first: "GET /docs/api HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20), reads: false },
  "slow headers": { first: "GET / HTTP/1.1\r\nHost: a\r\n", then: "X-A: 1\r\n" },
  "slow bodies": {
    first: "POST /api/v1/imprints HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\nContent-Length: 9999\r\n\r\n{",
    then: " ",
  },
  "idle sockets": { first: "" },
  upgrades: { first: "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" },
};

/** Holds `each` connections of each kind, and replaces those that the service closes. */
export function holdSlowClients(port: number, each: number): Attack {
  const sockets = new Set<Socket>();
  let isStopped = false;
  let count = 0;
  function open(kind: (typeof SLOW)[string]): void {
    if (isStopped) return;
    count += 1;
    const socket = connect(port, "127.0.0.1", () => void (kind.first !== "" && socket.write(kind.first)));
    sockets.add(socket);
    if (kind.reads === false) socket.pause();
    else socket.resume();
    const drip = setInterval(() => {
      if (kind.then !== undefined && socket.writable) socket.write(kind.then);
    }, 1_000);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearInterval(drip);
      sockets.delete(socket);
      setTimeout(() => {
        open(kind);
      }, 1_000).unref();
    });
  }
  for (const kind of Object.values(SLOW)) for (let index = 0; index < each; index += 1) open(kind);
  return {
    count: () => count,
    stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      return Promise.resolve();
    },
  };
}
