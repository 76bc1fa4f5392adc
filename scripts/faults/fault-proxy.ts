import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server that can be cut off: the server keeps running, but clients of the proxy lose it. */
export type FaultProxy = {
  /** URL of the server through the fault proxy. */
  url: string;
  /** Breaks connections and refuses new ones, as when the server has stopped. */
  cut: () => Promise<void>;
  /** Blocks all traffic without breaking connections, as when the network drops packets. */
  stall: () => Promise<void>;
  /** Blocks traffic on open connections without breaking them; new connections work normally. */
  stallOpen: () => void;
  reopen: () => Promise<void>;
  /** Sends new connections to another server. */
  moveTo: (url: string) => void;
  close: () => Promise<void>;
};

/** Returns a name for the request in a chunk of the client's stream, if its answer should be reported. */
export type Reader = (chunk: Buffer) => string | undefined;

export type Watch = {
  /** Called once per connection. */
  createReader: () => Reader;
  /**
   * Called when the server has answered but the client has not received it yet. If it returns false, the client never
   * does: its connection breaks.
   */
  onAnswer: (asked: string) => Promise<boolean> | boolean;
};

type Connection = { client: Socket; upstream: Socket; isStalled: () => boolean; watch: Watch | undefined };

function relay({ client, upstream, isStalled, watch }: Connection): void {
  const read = watch?.createReader();
  const asked: string[] = [];
  let tail = Promise.resolve();
  const deliver = async (chunk: Buffer, about: string) => {
    if (about !== "" && !(await watch?.onAnswer(about))) client.destroy();
    else client.write(chunk);
  };
  client.on("data", (chunk) => {
    if (isStalled()) return;
    const name = read?.(chunk);
    if (name !== undefined) asked.push(name);
    upstream.write(chunk);
  });
  upstream.on("data", (chunk) => {
    if (isStalled()) return;
    const about = asked.splice(0).join("; ");
    tail = tail.then(() => deliver(chunk, about));
  });
  client.once("close", () => upstream.destroy());
  upstream.once("close", () => {
    void tail.then(() => {
      client.destroySoon();
    });
  });
}

/** Opens a fault proxy in front of the server at `url`, on a loopback port. */
export async function openFaultProxy(url: string, watch?: Watch): Promise<FaultProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const stalled = new WeakSet<Socket>();
  let isStalled = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true); // otherwise the second part of an answer waits 40 ms for the acknowledgement of the first
      socket.on("error", () => undefined); // the close event that follows is enough
      socket.once("close", () => sockets.delete(socket));
    }
    relay({ client, upstream, watch, isStalled: () => isStalled || stalled.has(client) });
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
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href.replace(/\/$/, ""),
    cut,
    close: cut,
    moveTo(next) {
      target = new URL(next);
    },
    stall() {
      isStalled = true;
      return Promise.resolve();
    },
    stallOpen() {
      for (const socket of sockets) stalled.add(socket);
    },
    async reopen() {
      // Dropped data is lost, so the old connections cannot be used again.
      if (isStalled) for (const socket of sockets) socket.destroy();
      isStalled = false;
      if (!server.listening) await listen(port);
    },
  };
}
