import { readFileSync } from "node:fs";

import { isRunning, processTree, type Service } from "./service";

/** The main process of several, as the service names it. */
export const mainOf = ({ output }: Pick<Service, "output">): number => Number(/kill -USR2 (\d+)/.exec(output())?.[1]);

const isWorker = (id: number): boolean => {
  try {
    return isRunning(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("server.mjs");
  } catch {
    return false; // it ended meanwhile
  }
};

/** The processes that answer for a main process. */
export const workersOf = (service: Pick<Service, "output">): number[] => processTree(mainOf(service)).filter(isWorker);
