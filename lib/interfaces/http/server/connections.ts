import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { Connection, type ConnectionLimits } from "./connection";

export const CONNECTION_LIMITS: ConnectionLimits = {
  waitingRequests: 100,
  stallMs: 30_000,
  leastBytesPerSecond: 8 * 1024,
};

const CHECK_MS = 1_000;
/** Pipelined requests that are begun in one turn of the event loop, those of all connections together. */
const MAX_A_TURN = 8;

/**
 * Runs what it is given in its order, a few a turn. An answer that is taken at once leaves no pause by itself: clients
 * that ask ahead would go before everybody else.
 */
function createTurns(): (run: () => void) => void {
  const runs: (() => void)[] = [];
  let isDue = false;
  function schedule(): void {
    if (isDue || runs.length === 0) return;
    isDue = true;
    setImmediate(takeTurn);
  }
  function takeTurn(): void {
    isDue = false;
    for (const run of runs.splice(0, MAX_A_TURN)) run();
    schedule();
  }
  return (run) => {
    runs.push(run);
    schedule();
  };
}

/** The connections of a server, each bounded in what it may keep waiting. */
export function trackConnections(answer: RequestListener, limits: ConnectionLimits) {
  const connections = new Map<Socket, Connection>();
  let onEmpty: (() => void) | undefined;
  const isDraining = () => onEmpty !== undefined;
  const later = createTurns();

  function open(socket: Socket): Connection {
    const connection = new Connection({ socket, answer, limits, isDraining, later });
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) onEmpty?.();
    });
    // Node takes its own listener away when it lets go of a socket.
    socket.on("error", () => socket.destroy());
    return connection;
  }
  const connectionOf = (socket: Socket) => connections.get(socket) ?? open(socket);

  const check = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections.values()) connection.endWhenStalled(now);
    },
    Math.min(CHECK_MS, limits.stallMs),
  ).unref();

  return {
    open,
    request: (req: IncomingMessage, res: ServerResponse) => {
      connectionOf(req.socket).take({ req, res, isDetached: false });
    },
    /** A request for a tunnel, which Node hands over together with its socket. */
    tunnel: (req: IncomingMessage) => {
      connectionOf(req.socket).take({ req, res: new ServerResponse(req), isDetached: true });
    },
    /** Answers by `send` what is no request. */
    refuse: (socket: Socket, send: () => void) => {
      connectionOf(socket).refuse(send);
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
