import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

import { log } from "@/lib/platform/log";

const LOCALHOST = "localhost";

type Options = {
  port: number;
  host: string;
  /** Leaves accepted connections unread, for another process to read. */
  isPaused?: boolean;
};

type Listening = {
  port: number;
  /** Stops accepting connections. Those already accepted stay open. */
  close: () => void;
};

/**
 * Listens for TCP connections and passes each one to `take`. `localhost` means either loopback address, and clients
 * differ in which one they try first, so both are used if IPv6 is available.
 *
 * @throws Error with advice if the port is in use
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
      reject(explain(error, port, host));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      // accept(2) can fail for lack of memory or because of a firewall rule; later connections may still be accepted.
      server.on("error", (error) => {
        log.warn({ err: error }, "a connection could not be accepted");
      });
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const NO_ADDRESS_OF_THIS_MACHINE = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EAFNOSUPPORT"]);

/** Names the variable to change. */
function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code = "" } = error;
  if (code === "EADDRINUSE")
    return new Error(`Port ${port} is used by another program. Choose another one: PORT=${port + 1} npm start`);
  if (!NO_ADDRESS_OF_THIS_MACHINE.has(code)) return error;
  return new Error(
    `HOST ${host} cannot be listened on (${code}). Set it to an address of this machine, or leave it out.`,
  );
}
