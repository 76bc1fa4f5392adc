import cluster, { type Worker } from "node:cluster";
import { Socket } from "node:net";

/** What a worker has to know of what the main process has opened. */
export type Assignment = {
  databaseUrl: string;
  /** Where browsers reach the address probe, which runs in the main process. */
  probeUrls: string[];
};

/** What a worker tells the main process. */
type WorkerMessage = { kind: "asks" } | { kind: "serving" } | { kind: "failed"; reason: string };

/**
 * What the main process tells a worker: to begin, to answer on the connection that comes with it, to end soon, or to end
 * once its clients have turned to others.
 */
export type PrimaryCommand =
  { kind: "begin"; assignment: Assignment } | { kind: "connection" } | { kind: "stop" } | { kind: "retire" };

/** Whether this process is a worker of a main process. */
export const isWorker = (): boolean => cluster.isWorker;

const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === "object" && message !== null && "kind" in message;

/** Calls `listener` with what a worker tells; other messages are not ours. */
export function onWorkerMessage(worker: Worker, listener: (message: WorkerMessage) => void): void {
  worker.on("message", (message: unknown) => {
    if (isWorkerMessage(message)) listener(message);
  });
}

/** Tells a worker; that it is gone already is no failure. */
export function sendToWorker(worker: Worker, command: PrimaryCommand): void {
  if (worker.isConnected()) worker.send(command, () => undefined);
}

/**
 * Gives a worker a connection of which nothing was read. What it is told later comes later: with the command to end it
 * has all the connections that it was given.
 */
export function giveConnection(worker: Worker, connection: Socket): void {
  worker.send({ kind: "connection" } satisfies PrimaryCommand, connection, (error: Error | null) => {
    if (error) connection.destroy();
  });
}

/** Calls `take` with each connection that the main process gives this worker. */
export function onConnection(take: (connection: Socket) => void): void {
  process.on("message", (command: PrimaryCommand, connection: unknown) => {
    // There is none when the client has gone meanwhile.
    if (command.kind === "connection" && connection instanceof Socket) take(connection);
  });
}

/** Tells the main process; resolves when it was told, or is gone. */
export const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else
      process.send(message, undefined, undefined, () => {
        resolve();
      });
  });

/** The assignment of this worker. Asked for: a command that comes before anybody listens is lost. */
export const askForAssignment = (): Promise<Assignment> =>
  new Promise((resolve) => {
    process.on("message", (command: PrimaryCommand) => {
      if (command.kind === "begin") resolve(command.assignment);
    });
    void sendToPrimary({ kind: "asks" });
  });
