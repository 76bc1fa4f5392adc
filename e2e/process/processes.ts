import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";

import { isRunning, processTree, type Service } from "./service";

/** The main process of a service with workers, from its output. */
export const primaryOf = ({ output }: Pick<Service, "output">): number =>
  Number(/kill -USR2 (\d+)/.exec(output())?.[1]);

/** Role of a service process: `requests` or `pages` for a worker, `main` for the one that started it. */
function roleOf(id: number): string | undefined {
  try {
    if (!isRunning(id) || !/\b(server|start|pages)\.mjs/.test(readFileSync(`/proc/${id}/cmdline`, "utf8")))
      return undefined;
    return /\0IMPRINT_WORKER_ROLE=(\w+)\0/.exec(readFileSync(`/proc/${id}/environ`, "utf8"))?.[1] ?? "main";
  } catch {
    return undefined; // it has exited
  }
}

const withRole = (root: number, role: string) => processTree(root).filter((id) => roleOf(id) === role);

/** Never returns 0: signalling that would signal the sender's own process group. */
function lastOf(root: number | undefined, role: string): number {
  const id = root === undefined ? undefined : withRole(root, role).at(-1);
  if (id === undefined) throw new Error(`There is no process with the role ${role}.`);
  return id;
}

/** The worker processes that serve requests. */
export const workersOf = (service: Pick<Service, "output">): number[] => withRole(primaryOf(service), "requests");

/** The process that does everything except pages. */
export const onlyProcessOf = ({ root }: Pick<Service, "root">): number => lastOf(root.pid, "main");

/** The process that renders pages. */
export const pagesProcessOf = ({ root }: Pick<Service, "root">): number => lastOf(root.pid, "pages");

/** The priorities of a process's threads, each of which has its own on Linux. */
export const prioritiesOf = (pid: number) =>
  new Set(
    (process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]).map((id) => getPriority(id)),
  );
