import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

import { log } from "@/lib/platform/log";

const LOCALHOST = "localhost";

type Options = {
  port: number;
  host: string;
  /** Whether nothing is to be read from a connection here, since another process will. */
  isPaused?: boolean;
};

type Listening = {
  port: number;
  /** Accepts nothing new. Connections that were taken stay. */
  close: () => void;
};

/**
 * Listens for TCP connections and gives each to `take`. `localhost` means either loopback address, and clients differ
 * in which they try: both are listened on where there are two.
 *
 * @throws Error with the way out when the port is in use
 */
export async function listen({ port, host, isPaused = false }: Options, take: (socket: Socket) => void) {
  const servers: Server[] = [];
  const open = async (at: number, address: string) => {
    const server = createServer({ noDelay: true, pauseOnConnect: isPaused }, take);
    servers.push(server);
    return listenOn(server, at, address);
  };
  const chosen = await open(port, host === LOCALHOST ? "127.0.0.1" : host);
  if (host === LOCALHOST) {
    await open(chosen, "::1").catch((error: unknown) => {
      if (isIpv6Available()) throw error;
    });
  }
  const listening: Listening = {
    port: chosen,
    close() {
      for (const server of servers) server.close();
    },
  };
  return listening;
}

const isIpv6Available = () =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === "::1"));

function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? portInUse(port) : error);
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      // For want of memory or by a rule of a firewall: the next one may be.
      server.on("error", (error) => {
        log.warn({ err: error }, "a connection could not be accepted");
      });
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const portInUse = (port: number) =>
  new Error(`Port ${port} is used by another program. Choose another one: PORT=${port + 1} npm start`);
