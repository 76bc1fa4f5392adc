import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { DisposableServer } from "@/db/embedded";

type Start = () => Promise<DisposableServer>;

/**
 * Starts nothing: the first test file that needs a database asks here for it, so that a run of pure tests begins at
 * once. All workers share what was started, and it ends with the run.
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
      // When it could not start, every test file that asked was told so.
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
