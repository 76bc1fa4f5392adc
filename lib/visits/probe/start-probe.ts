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
  /** 0: any free port. */
  port: number;
  /** Name or address at which browsers reach the probe, with `:PORT` when that is another. */
  publicHost: string;
  /** Addresses to listen on. Default: all of this machine, each with a socket of its own. */
  hosts?: readonly string[];
  /** The address of a sender in the form that is stored. */
  addressOf: (peerAddress: string) => string | undefined;
};

export type Probe = { port: number; urls: string[]; close: () => Promise<void> };

/**
 * Addresses of this machine. A socket on all of them at once answers from any of them, and browsers ignore an answer
 * that comes from another address than they asked.
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

/** Sockets on all hosts with the same port. A host that cannot be bound is logged; none at all is an error. */
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
 * Starts the address probe: it sees the address that a browser's own datagram comes from, and which challenge the
 * browser holds. Until it is closed, challenges carry credentials for it.
 *
 * @throws Error when the port cannot be had on any address
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
    // Stored before it is answered: the browser submits as soon as it has the answer.
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
