import cluster, { type Worker } from "node:cluster";
import { Socket } from "node:net";

import { ROLE_VARIABLE } from "@/lib/platform/env";
import type { Figures } from "@/lib/platform/metrics";

/** What a worker does: answer requests, or render pages. */
export type WorkerRole = "requests" | "pages";

/** How to connect to the database. A pooler may not support session settings or named prepared statements. */
export type DatabaseAddress = { databaseUrl: string; hasSettings: boolean; prepare: boolean };

/** What a worker needs to know about what the primary has opened. */
export type Assignment = DatabaseAddress & {
  /** Socket of the pages process. */
  pagesSocket: string;
  /** URLs of the address probe, which runs in the main process. */
  probeUrls: string[];
};

/** Messages from a worker to the primary. */
type WorkerMessage =
  | { kind: "ready" }
  | { kind: "serving" }
  | { kind: "failed"; reason: string }
  | { kind: "pong" }
  | { kind: "figures"; figures: Figures };

/**
 * Commands from the primary to a worker: `start`; `connection`: serve the connection sent along; `delay`: tell load
 * balancers that the service will stop; `figures`: send metrics; `ping`: show that the event loop is running; `stop`;
 * and `retire`: stop once clients have reconnected elsewhere.
 */
export type PrimaryCommand =
  | { kind: "start"; assignment: Assignment }
  | { kind: "connection" }
  | { kind: "delay" }
  | { kind: "figures" }
  | { kind: "ping" }
  | { kind: "stop" }
  | { kind: "retire" };

/** Whether this process is a worker. */
export const isWorker = (): boolean => cluster.isWorker;

/** The environment variables that give a worker its role. */
export const environmentOf = (role: WorkerRole): Record<string, string> => ({ [ROLE_VARIABLE]: role });

const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === "object" && message !== null && "kind" in message;

/** Calls `listener` with a worker's messages; ignores foreign messages on the channel. */
export function onWorkerMessage(worker: Worker, listener: (message: WorkerMessage) => void): void {
  worker.on("message", (message: unknown) => {
    if (isWorkerMessage(message)) listener(message);
  });
}

/** Sends a command to a worker; ignored if it has exited. */
export function sendToWorker(worker: Worker, command: PrimaryCommand): void {
  if (worker.isConnected()) worker.send(command, () => undefined);
}

/**
 * On Linux a connection that was sent is closed here at once, so that it is closed altogether if the worker exits before
 * it receives it. On macOS that would close it in the worker too; there Node waits until the worker has received it.
 */
const SEND_OPTIONS = { keepOpen: process.platform === "linux" };

/**
 * Passes an unread connection to a worker, and calls `onSent` when it was sent. The channel preserves order, so a worker
 * has received all its connections before the command to stop.
 */
export function sendConnection(worker: Worker, connection: Socket, onSent: () => void): void {
  worker.send({ kind: "connection" } satisfies PrimaryCommand, connection, SEND_OPTIONS, () => {
    connection.destroy();
    onSent();
  });
}

/** Calls `take` with each connection passed by the primary. */
export function onConnection(take: (connection: Socket) => void): void {
  process.on("message", (command: PrimaryCommand, connection: unknown) => {
    // Missing if the client has already disconnected.
    if (command.kind === "connection" && connection instanceof Socket) take(connection);
  });
}

/** Sends this worker's figures on request. */
export function onFiguresAsked(read: () => Figures): void {
  process.on("message", (command: PrimaryCommand) => {
    if (command.kind === "figures") void sendToPrimary({ kind: "figures", figures: read() });
  });
}

/** Calls `listener` if the primary ends before this process was stopped; Node exits directly after it. */
export function onPrimaryLost(listener: () => void): void {
  cluster.worker?.once("disconnect", listener);
}

/** Sends a message to the primary; resolves when it has been sent or the primary has exited. */
export const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else
      process.send(message, undefined, undefined, () => {
        resolve();
      });
  });

/**
 * Receives this worker's assignment and answers pings from then on. The worker announces that it is ready first,
 * because a command sent before its listener exists would be lost.
 */
export const receiveAssignment = (): Promise<Assignment> =>
  new Promise((resolve) => {
    process.on("message", (command: PrimaryCommand) => {
      if (command.kind === "start") resolve(command.assignment);
      else if (command.kind === "ping") void sendToPrimary({ kind: "pong" });
    });
    void sendToPrimary({ kind: "ready" });
  });
