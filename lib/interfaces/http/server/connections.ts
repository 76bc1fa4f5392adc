import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { Connection, type ConnectionLimits } from "./connection";

export const CONNECTION_LIMITS: ConnectionLimits = {
  maxPipelinedRequests: 100,
  stallMs: 30_000,
  minBytesPerSecond: 8 * 1024,
};

const CHECK_MS = 1_000;
/**
 * Longest time for which a connection that took too long stays open beyond that. Clients that began together would end
 * together, come back together and send together, for as long as they go on: thousands of events in one turn of the loop.
 */
const EXPIRY_SPREAD_MS = 5_000;
/** Pipelined requests that are started, and connections that are ended, in one turn of the event loop. */
const MAX_PER_TICK = 8;

/**
 * Runs tasks in their order, a few in each turn of the event loop. Answers that complete synchronously never yield:
 * clients that pipeline would starve all others.
 */
function createScheduler(): (run: () => void) => void {
  const runs: (() => void)[] = [];
  let isDue = false;
  function schedule(): void {
    if (isDue || runs.length === 0) return;
    isDue = true;
    setImmediate(runSome);
  }
  function runSome(): void {
    isDue = false;
    for (const run of runs.splice(0, MAX_PER_TICK)) run();
    schedule();
  }
  return (run) => {
    runs.push(run);
    schedule();
  };
}

/** The connections of a server, each bounded in what it may pipeline and buffer. */
export function trackConnections(answer: RequestListener, limits: ConnectionLimits) {
  const connections = new Map<Socket, Connection>();
  let onEmpty: (() => void) | undefined;
  const isDraining = () => onEmpty !== undefined;
  const later = createScheduler();

  function open(socket: Socket): Connection {
    const connection = new Connection({ socket, answer, limits, isDraining, later });
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) onEmpty?.();
    });
    // Node removes its own listener when it detaches a socket.
    socket.on("error", () => socket.destroy());
    return connection;
  }
  const connectionOf = (socket: Socket) => connections.get(socket) ?? open(socket);

  const check = setInterval(
    () => {
      const now = performance.now();
      for (const [socket, connection] of connections) if (connection.isStalled(now)) later(() => socket.destroy());
    },
    Math.min(CHECK_MS, limits.stallMs),
  ).unref();

  return {
    open,
    request: (req: IncomingMessage, res: ServerResponse) => {
      connectionOf(req.socket).take({ req, res, isDetached: false });
    },
    /** A CONNECT request, whose socket Node detaches. */
    tunnel: (req: IncomingMessage) => {
      connectionOf(req.socket).take({ req, res: new ServerResponse(req), isDetached: true });
    },
    /** Answers input that is not a request by `send`. */
    refuse: (socket: Socket, send: () => void) => {
      connectionOf(socket).refuse(send);
    },
    /** Ends a connection that took too long, by `send` if anything came: at a random moment within the next seconds. */
    expire: (socket: Socket, send: () => void) => {
      const end = () => {
        if (socket.bytesRead === 0) socket.destroy();
        else if (!socket.destroyed) connectionOf(socket).refuse(send);
      };
      setTimeout(() => {
        later(end);
      }, Math.random() * EXPIRY_SPREAD_MS).unref();
    },
    /** From now on each connection ends with the answer to the last request that it has sent. Resolves with the last. */
    drain: () =>
      new Promise<void>((resolve) => {
        onEmpty = resolve;
        for (const connection of connections.values()) connection.endAfterLast();
        if (connections.size === 0) resolve();
      }),
    /** Ends the connections on which no request is being sent or answered. */
    endIdle: () => {
      for (const [socket, connection] of connections) if (connection.isIdle()) socket.destroy();
    },
    endAll: () => {
      for (const socket of connections.keys()) socket.destroy();
    },
    stopChecking: () => {
      clearInterval(check);
    },
  };
}
