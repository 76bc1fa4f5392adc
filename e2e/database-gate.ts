import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to the database that can be shut: the server behind it goes on, only this service loses it. */
export type DatabaseGate = {
  url: string;
  /** Connections break and new ones are refused, as when the server has stopped. */
  cut: () => Promise<void>;
  /** Nothing gets through any more and nothing breaks, as when the network swallows packets. */
  stall: () => Promise<void>;
  reopen: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => {
        if (!isStalled) to.write(chunk);
      });
      from.on("error", () => undefined); // the end that follows says enough
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href;
  return {
    url,
    cut,
    close: cut,
    stall() {
      isStalled = true;
      return Promise.resolve();
    },
    async reopen() {
      // What was swallowed is lost: the old connections can't be used again.
      if (isStalled) for (const socket of sockets) socket.destroy();
      isStalled = false;
      if (!server.listening) await listen(port);
    },
  };
}
