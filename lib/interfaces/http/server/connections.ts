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
 * Maximum random delay before a timed-out connection is closed. Without it, clients that connected together would be
 * closed together, reconnect together and send together, again and again: thousands of events in one turn of the event
 * loop.
 */
const EXPIRY_SPREAD_MS = 5_000;
/** Pipelined requests started, and connections closed, per turn of the event loop. */
const MAX_PER_TICK = 8;

/**
 * Runs tasks in order, a few in each turn of the event loop. Answers that complete synchronously never yield, so
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

/** Tracks the connections of a server and limits what each may pipeline and buffer. */
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
    /** Answers a CONNECT request, whose socket Node detaches. */
    tunnel: (req: IncomingMessage) => {
      connectionOf(req.socket).take({ req, res: new ServerResponse(req), isDetached: true });
    },
    /** Answers unparseable input with `send`. */
    refuse: (socket: Socket, send: () => void) => {
      connectionOf(socket).refuse(send);
    },
    /** Closes a timed-out connection at a random time within the next seconds; with `send` if it has sent anything. */
    expire: (socket: Socket, send: () => void) => {
      const end = () => {
        if (socket.bytesRead === 0) socket.destroy();
        else if (!socket.destroyed) connectionOf(socket).refuse(send);
      };
      setTimeout(() => {
        later(end);
      }, Math.random() * EXPIRY_SPREAD_MS).unref();
    },
    /** Closes each connection after the answer to the last request it has sent. Resolves when all are closed. */
    drain: () =>
      new Promise<void>((resolve) => {
        onEmpty = resolve;
        for (const connection of connections.values()) connection.endAfterLast();
        if (connections.size === 0) resolve();
      }),
    /** Closes connections on which no request is being received or answered. */
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
