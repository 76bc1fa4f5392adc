import type { Worker } from "node:cluster";
import type { Socket } from "node:net";

import { sendConnection } from "./messages";

/** Passes connections to a worker. Node sends one at a time and keeps the others, also when the worker exits. */
export function createHandover(child: Worker) {
  const unsent = new Set<Socket>();
  const left = new Promise<Socket[]>((resolve) => {
    // Emitted after the exit and the end of the channel, on which Node could still send until then.
    child.process.once("close", () => {
      resolve([...unsent]);
      unsent.clear();
    });
  });
  return {
    send(connection: Socket): void {
      unsent.add(connection);
      sendConnection(child, connection, () => unsent.delete(connection));
    },
    /** Number of connections that this process still holds. */
    waiting: () => unsent.size,
    /** Resolves after the worker has exited, with the connections that it was not sent. */
    left,
  };
}
