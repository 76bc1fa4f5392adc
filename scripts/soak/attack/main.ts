import { constants, setPriority } from "node:os";

import { hammerPages, holdSlowClients } from "./clients";

/**
 * The process of the clients that do harm: those that are measured share no event loop with them, and what they compute
 * themselves, elsewhere on machines of their own, has the lowest priority. Ends with its parent.
 */
const [url = "", connections, clients, slow] = process.argv.slice(2);
setPriority(constants.priority.PRIORITY_LOW);
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
