import net from "node:net";
import path from "node:path";

import { whyOccupied } from "../../db/service-lock.mjs";

/** Refuses before anything is built: a build would replace files under the service that runs. */
export function refuseSecondStart() {
  if (process.env.DATABASE_URL) return;
  const reason = whyOccupied(path.resolve(process.env.DATA_DIR || ".data"));
  if (reason !== undefined) throw new Error(reason);
}

/** `PORT=0` asks for any free port; the address has to be known before the service reads its configuration. */
export async function resolvePort() {
  if (process.env.PORT !== "0") return;
  const server = net.createServer();
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, process.env.HOST || "localhost", () => resolve(undefined));
  });
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  process.env.PORT = String(address.port);
}
