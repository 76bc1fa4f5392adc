import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";

import type { Db } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import { rateLimitKey } from "@/lib/platform/addresses";
import { answerDatagram } from "./answer-datagram";
import { publishProbeServer } from "./probe-server";
import { insertObservation } from "./queries";
import { createSourceLimit } from "./source-limit";

type Options = {
  db: Db;
  /** 0 picks any free port. */
  port: number;
  /** Host or address at which browsers reach the probe, with `:PORT` if that differs. */
  publicHost: string;
  /** Addresses to listen on. By default all addresses of this machine, each with its own socket. */
  hosts?: readonly string[];
  /** Converts a sender's address to its stored form. */
  addressOf: (peerAddress: string) => string | undefined;
};

export type Probe = { port: number; urls: string[]; close: () => Promise<void> };

/**
 * Addresses of this machine. A wildcard socket may answer from any of them, but browsers ignore answers from another
 * address than the one they contacted.
 */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((entry) => (entry && !entry.address.startsWith("fe80:") ? entry.address : []));

async function bind(host: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", ipv6Only: host.includes(":") });
  const listening = once(socket, "listening");
  socket.bind(port, host);
  try {
    await listening;
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** Binds all hosts to the same port. Hosts that cannot be bound are logged; fails if none can. */
async function bindAll(hosts: readonly string[], wantedPort: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  let failure: unknown = new Error("this machine has no address");
  for (const host of hosts) {
    const [first] = sockets;
    const port = first ? first.address().port : wantedPort;
    try {
      sockets.push(await bind(host, port));
    } catch (error) {
      failure = error;
      log.warn({ err: error, host, port }, "the address probe cannot listen on one address");
    }
  }
  if (sockets.length === 0) throw failure instanceof Error ? failure : new Error(String(failure));
  return sockets;
}

/**
 * Starts the address probe, which sees the source address of a browser's datagram and the challenge that the browser
 * has. Challenges include credentials for it until it is closed.
 *
 * @throws Error if the port cannot be bound on any address
 */
export async function startProbe({
  db,
  port: wanted,
  publicHost,
  hosts = ownAddresses(),
  addressOf,
}: Options): Promise<Probe> {
  const sockets = await bindAll(hosts, wanted);
  const isAllowed = createSourceLimit();

  const receive = async (socket: Socket, bytes: Buffer, remote: RemoteInfo) => {
    const at = now();
    const address = addressOf(remote.address);
    if (address === undefined || !isAllowed(rateLimitKey(address), at.getTime())) return;
    const answer = answerDatagram(bytes, { address, port: remote.port }, at);
    if (!answer) return;
    // Stored before answering, because the browser submits as soon as it has the answer.
    if (answer.challengeNonce !== undefined) {
      const family = address.includes(":") ? 6 : 4;
      await insertObservation(db, { nonce: answer.challengeNonce, family, address });
    }
    socket.send(answer.reply, remote.port, remote.address);
  };
  for (const socket of sockets) {
    socket.on("message", (bytes, remote) => {
      receive(socket, bytes, remote).catch((error: unknown) => {
        log.warn({ err: error }, "the address probe could not answer");
      });
    });
    socket.on("error", (error) => {
      log.warn({ err: error }, "the address probe lost a socket");
    });
  }

  const port = sockets[0]?.address().port ?? wanted;
  const hasPort = /[^:]:\d+$|\]:\d+$/.test(publicHost);
  const urls = [`turn:${hasPort ? publicHost : `${publicHost}:${port}`}?transport=udp`];
  publishProbeServer({ urls });
  let closing: Promise<unknown> | undefined;
  return {
    port,
    urls,
    async close() {
      if (!closing) publishProbeServer(undefined);
      closing ??= Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(done))));
      await closing;
    },
  };
}
