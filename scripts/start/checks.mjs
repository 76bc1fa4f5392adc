import net from "node:net";
import path from "node:path";

import { prepareDataDir } from "../../db/make-folder.mjs";
import { whyOccupied } from "../../db/service-lock.mjs";
import { setting } from "./setting.mjs";

/**
 * Refuses before anything is built: a build would replace files of the running service. Also refuses a data directory in
 * which the service cannot work.
 */
export function refuseSecondStart() {
  if (setting("DATABASE_URL") !== "") return;
  const dataDir = path.resolve(setting("DATA_DIR") || ".data");
  const reason = whyOccupied(dataDir);
  if (reason !== undefined) throw new Error(reason);
  prepareDataDir(dataDir);
}

/** Below the ephemeral port range, so that an outgoing connection cannot take the port between choice and use. */
const FREE_PORTS = { from: 20_000, count: 10_000 };
const ATTEMPTS = 50;

/** @param {number} port */
const isFree = (port) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => {
      resolve(false);
    });
    server.listen(port, setting("HOST") || "localhost", () =>
      server.close(() => {
        resolve(true);
      }),
    );
  });

/** `PORT=0` requests any free port; the address must be known before the service reads its configuration. */
export async function resolvePort() {
  if (setting("PORT") !== "0") return;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FREE_PORTS.from + Math.floor(Math.random() * FREE_PORTS.count);
    if (!(await isFree(port))) continue;
    process.env["PORT"] = String(port);
    return;
  }
  throw new Error("No free port was found. Choose one: PORT=3001 npm start");
}
