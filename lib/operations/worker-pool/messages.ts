import cluster, { type Worker } from "node:cluster";
import { Socket } from "node:net";

import { ROLE_VARIABLE } from "@/lib/platform/env";
import type { Figures } from "@/lib/platform/metrics";

/** What a worker does: answer requests, or render the pages for those that do. */
export type WorkerRole = "requests" | "pages";

/** How to connect to the database: a pooler may refuse settings of a session, and named prepared statements. */
export type DatabaseAddress = { databaseUrl: string; hasSettings: boolean; prepare: boolean };

/** What a worker has to know of what the primary has opened. */
export type Assignment = DatabaseAddress & {
  /** Socket of the process of the pages. */
  pagesSocket: string;
  /** Where browsers reach the address probe, which runs in the main process. */
  probeUrls: string[];
};

/** What a worker sends the primary. */
type WorkerMessage =
  | { kind: "ready" }
  | { kind: "serving" }
  | { kind: "failed"; reason: string }
  | { kind: "pong" }
  | { kind: "figures"; figures: Figures };

/**
 * What the primary sends a worker: to start, to answer on the connection that comes with it, to send the figures of its
 * metrics, to show that its event loop turns, to tell load balancers that it will stop, to stop, or to retire: to stop
 * once its clients have reconnected elsewhere.
 */
export type PrimaryCommand =
  | { kind: "start"; assignment: Assignment }
  | { kind: "connection" }
  | { kind: "delay" }
  | { kind: "figures" }
  | { kind: "ping" }
  | { kind: "stop" }
  | { kind: "retire" };

/** Whether this process is a worker of a primary. */
export const isWorker = (): boolean => cluster.isWorker;

/** The environment by which a worker is told from others. */
export const environmentOf = (role: WorkerRole): Record<string, string> => ({ [ROLE_VARIABLE]: role });

const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === "object" && message !== null && "kind" in message;

/** Calls `listener` with a worker's messages; others on the channel are not ours. */
export function onWorkerMessage(worker: Worker, listener: (message: WorkerMessage) => void): void {
  worker.on("message", (message: unknown) => {
    if (isWorkerMessage(message)) listener(message);
  });
}

/** Sends to a worker; one that has exited is no failure. */
export function sendToWorker(worker: Worker, command: PrimaryCommand): void {
  if (worker.isConnected()) worker.send(command, () => undefined);
}

/**
 * Sends a worker a connection of which nothing was read. The channel keeps the order: with the command to stop a worker
 * has all its connections.
 */
export function sendConnection(worker: Worker, connection: Socket): void {
  worker.send({ kind: "connection" } satisfies PrimaryCommand, connection, (error: Error | null) => {
    if (error) connection.destroy();
  });
}

/** Calls `take` with each connection that the primary sends this worker. */
export function onConnection(take: (connection: Socket) => void): void {
  process.on("message", (command: PrimaryCommand, connection: unknown) => {
    // There is none when the client has disconnected meanwhile.
    if (command.kind === "connection" && connection instanceof Socket) take(connection);
  });
}

/** Answers the primary when it asks for figures. */
export function onFiguresAsked(read: () => Figures): void {
  process.on("message", (command: PrimaryCommand) => {
    if (command.kind === "figures") void sendToPrimary({ kind: "figures", figures: read() });
  });
}

/** Sends to the primary; resolves when the message was sent, or the primary has exited. */
export const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else
      process.send(message, undefined, undefined, () => {
        resolve();
      });
  });

/** The assignment of this worker, which answers pings from now on. Requested: a command that comes before its listener is lost. */
export const receiveAssignment = (): Promise<Assignment> =>
  new Promise((resolve) => {
    process.on("message", (command: PrimaryCommand) => {
      if (command.kind === "start") resolve(command.assignment);
      else if (command.kind === "ping") void sendToPrimary({ kind: "pong" });
    });
    void sendToPrimary({ kind: "ready" });
  });
