import { randomUUID } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";

import type { DisposableServer } from "@/db/embedded";
import { makeOwnedFolder } from "@/db/owned-folder";

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

/**
 * Gives the run a temporary folder of its own, which every process it starts inherits. What browsers and killed services
 * leave there is removed with it, at the end, or by the next run if this one is killed.
 */
export function openRunFolder(parent: string): { close: () => void } {
  const folder = makeOwnedFolder(parent, "imprint-run-");
  // Like the system's: some tests start services as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return {
    close() {
      process.env["TMPDIR"] = parent;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs once before all tests. */
export default async function setUp(): Promise<() => Promise<void>> {
  // The database stays outside, where the next run finds and stops it if this one is killed.
  const parent = tmpdir();
  const folder = openRunFolder(parent);
  const given = process.env["IMPRINT_TEST_DATABASE"];
  if (given !== undefined) await (await import("@/test/given-database")).prepareGivenDatabase(given);
  const { address, close } = await offerDatabase(async () =>
    (await import("./test-database")).startTestDatabase(parent),
  );
  process.env["IMPRINT_TEST_SERVER"] = address;
  return async () => {
    await close();
    folder.close();
  };
}
