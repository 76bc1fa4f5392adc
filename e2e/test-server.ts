import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { DisposableServer } from "@/db/embedded";

type Start = () => Promise<DisposableServer>;

/**
 * Offers a database that is started only when the first test file requests it, so that runs of pure tests begin
 * immediately. All workers share it, and it is stopped at the end of the run.
 */
export async function offerDatabase(start: Start): Promise<{ address: string; close: () => Promise<void> }> {
  let started: Promise<DisposableServer> | undefined;
  const path = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    started ??= start();
    started.then(
      ({ url, serviceUrl }) => response.end(JSON.stringify({ url, serviceUrl })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async close() {
      server.close();
      server.closeAllConnections();
      // If it could not start, every test file that requested it already received the error.
      const database = await started?.catch(() => undefined);
      await database?.stop();
    },
  };
}

/** Runs once before all tests. */
export default async function setUp(): Promise<() => Promise<void>> {
  const given = process.env["IMPRINT_TEST_DATABASE"];
  if (given !== undefined) await (await import("@/test/given-database")).prepareGivenDatabase(given);
  const { address, close } = await offerDatabase(async () => (await import("./test-database")).startTestDatabase());
  process.env["IMPRINT_TEST_SERVER"] = address;
  return close;
}
