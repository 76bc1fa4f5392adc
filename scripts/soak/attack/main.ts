import { writeFileSync } from "node:fs";
import { constants } from "node:os";

import { lowerPriorityOfThreads } from "@/lib/platform/lower-priority";
import { hammerPages, holdSlowClients } from "./clients";

/**
 * The process of the abusive clients. Separate, so that measured clients do not share its event loop, and with the
 * lowest priority for its own computing, which would normally happen on other machines: of its threads, and on Linux of
 * its session, since the service has one of its own too. Ends with its parent.
 */
function lowerPriorityOfSession(nice: number): void {
  try {
    writeFileSync("/proc/self/autogroup", String(nice));
  } catch {
    // A kernel without CONFIG_SCHED_AUTOGROUP has no such file: there the priority of the threads counts.
  }
}

const [url = "", connections, clients, slow] = process.argv.slice(2);
lowerPriorityOfThreads(constants.priority.PRIORITY_LOW);
if (process.platform === "linux") lowerPriorityOfSession(constants.priority.PRIORITY_LOW);
const attacks = {
  pages: hammerPages(url, Number(connections), Number(clients)),
  slowConnections: holdSlowClients(Number(new URL(url).port), Number(slow)),
};

process.once("message", () => {
  void Promise.all(Object.values(attacks).map((attack) => attack.stop())).then(() => {
    process.send?.({ pages: attacks.pages.count(), slowConnections: attacks.slowConnections.count() }, () => {
      process.exit();
    });
  });
});
process.once("disconnect", () => {
  process.exit();
});
