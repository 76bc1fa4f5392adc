import cluster from "node:cluster";

/** What the main process tells a worker as it starts it. */
export type Assignment = {
  databaseUrl: string;
  /** Where browsers reach the address probe, which runs in the main process. */
  probeUrls: string[];
};

/** What a worker tells the main process. */
export type Notice = { kind: "serving" } | { kind: "failed"; reason: string };

/** What the main process asks of a worker: to end soon, or to end once its clients have turned to others. */
export type Order = "stop" | "retire";

const VARIABLE = "IMPRINT_ASSIGNMENT";

export const hire = (assignment: Assignment) => cluster.fork({ [VARIABLE]: JSON.stringify(assignment) });

/** The assignment of this process; undefined in one that no main process started. */
export function takeAssignment(): Assignment | undefined {
  const given = process.env[VARIABLE];
  if (!cluster.isWorker || given === undefined) return undefined;
  Reflect.deleteProperty(process.env, VARIABLE);
  return JSON.parse(given) as Assignment;
}

const isNotice = (message: unknown): message is Notice =>
  typeof message === "object" && message !== null && "kind" in message;

/** Calls `listener` with what a worker tells; other messages are not ours. */
export function onNotice(worker: ReturnType<typeof hire>, listener: (notice: Notice) => void): void {
  worker.on("message", (message: unknown) => {
    if (isNotice(message)) listener(message);
  });
}

/** Tells the main process; resolves when it was told, or is gone. */
export const tellMain = (notice: Notice): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send || !process.connected) resolve();
    else
      process.send(notice, undefined, undefined, () => {
        resolve();
      });
  });
