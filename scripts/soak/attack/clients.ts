import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Clients that take what they can get, until they are stopped. */
export type Attack = { count: () => number; stop: () => Promise<void> };

const PAGES = ["/docs/api", "/", "/sign-in", "/docs/quickstart", "/nothing-here"];
/** Each from an address of its own in turn: no single address is what the service defends itself by. */
const addressOf = (index: number) => `203.0.113.${index & 255}`;

/** Asks for pages on so many connections, one after another on each. */
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
      // As a browser would: whoever was refused does not ask again at once.
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

/** What a slow client sends on a new connection, and goes on sending each second. */
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

/** Holds so many connections of each kind, and opens another for each that the service ends. */
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
