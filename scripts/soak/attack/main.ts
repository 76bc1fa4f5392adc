import { constants } from "node:os";

import { lowerPriorityOfThreads } from "@/lib/platform/lower-priority";
import { hammerPages, holdSlowClients } from "./clients";

/**
 * The process of the abusive clients. Separate, so that measured clients do not share its event loop, and with the
 * lowest priority for its own computing, which would normally happen on other machines. Ends with its parent.
 */
const [url = "", connections, clients, slow] = process.argv.slice(2);
lowerPriorityOfThreads(constants.priority.PRIORITY_LOW);
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
