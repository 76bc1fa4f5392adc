import { readFileSync } from "node:fs";

import { isRunning, processTree, type Service } from "./service";

/** The main process of several, as the service names it. */
export const mainOf = ({ output }: Pick<Service, "output">): number => Number(/kill -USR2 (\d+)/.exec(output())?.[1]);

/** What a process of a service does: `requests` or `pages` for a worker, `main` for the one that started it. */
function roleOf(id: number): string | undefined {
  try {
    if (!isRunning(id) || !/\b(server|start)\.mjs/.test(readFileSync(`/proc/${id}/cmdline`, "utf8"))) return undefined;
    return /\0IMPRINT_WORKER_ROLE=(\w+)\0/.exec(readFileSync(`/proc/${id}/environ`, "utf8"))?.[1] ?? "main";
  } catch {
    return undefined; // it ended meanwhile
  }
}

const withRole = (root: number, role: string) => processTree(root).filter((id) => roleOf(id) === role);

/** The processes that answer for a main process. */
export const workersOf = (service: Pick<Service, "output">): number[] => withRole(mainOf(service), "requests");

/** The process that does everything but the pages. */
export const onlyProcessOf = ({ root }: Pick<Service, "root">): number => withRole(root.pid ?? 0, "main").at(-1) ?? 0;

/** The process that renders the pages. */
export const pagesProcessOf = ({ root }: Pick<Service, "root">): number => withRole(root.pid ?? 0, "pages").at(-1) ?? 0;
