import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be shut: the server behind it goes on, only whoever uses this way loses it. */
export type Gate = {
  /** The address of the server, through the gate. */
  url: string;
  /** Connections break and new ones are refused, as when the server has stopped. */
  cut: () => Promise<void>;
  /** Nothing gets through any more and nothing breaks, as when the network swallows packets. */
  stall: () => Promise<void>;
  /** Nothing more gets through the connections that are open, and nothing breaks; new ones are as before. */
  strand: () => void;
  reopen: () => Promise<void>;
  /** Another server answers new connections. */
  moveTo: (url: string) => void;
  close: () => Promise<void>;
};

/** Names what a piece of a client's stream asks the server for, when the answer is to be told about. */
export type Reader = (chunk: Buffer) => string | undefined;

export type Watch = {
  /** One for each connection. */
  createReader: () => Reader;
  /** The server has answered and the client does not know yet. With false it never will: its connection breaks. */
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

/** Opens a gate in front of the server of `url`, on a port of this machine's loopback. */
export async function openGate(url: string, watch?: Watch): Promise<Gate> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const stranded = new WeakSet<Socket>();
  let isStalled = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true); // else a second piece of an answer waits for the acknowledgement of the first, 40 ms
      socket.on("error", () => undefined); // the end that follows says enough
      socket.once("close", () => sockets.delete(socket));
    }
    relay({ client, upstream, watch, isStalled: () => isStalled || stranded.has(client) });
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
    strand() {
      for (const socket of sockets) stranded.add(socket);
    },
    async reopen() {
      // What was swallowed is lost: the old connections can't be used again.
      if (isStalled) for (const socket of sockets) socket.destroy();
      isStalled = false;
      if (!server.listening) await listen(port);
    },
  };
}
