import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Connection, connect } from "@/db/client";
import { type DisposableServer, openDisposable } from "@/db/embedded";
import { connectForBackup } from "@/lib/operations/backup/queries-snapshot";
import { readServerState } from "./queries";

let server: DisposableServer;
let connection: Connection;
/** A server of its own, since test files share one and have transactions open. */
beforeAll(async () => {
  server = await openDisposable(process.env["PG_BIN_DIR"]);
  connection = connect({ url: server.url, poolSize: 1, prepare: false, applicationName: "oldest" });
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const oldestSeconds = async () => (await readServerState(connection.db)).oldest_transaction_seconds;

async function inTransaction(client: postgres.Sql, work: () => Promise<void>) {
  await client.begin(async (tx) => {
    await tx`select 1`;
    await work();
  });
  await client.end();
}

test("a backup's transaction, which takes as long as the data, is not reported as forgotten; any other is", async () => {
  await inTransaction(connectForBackup(server.url), async () => {
    expect(await oldestSeconds()).toBe(0);
    await inTransaction(postgres(server.url, { max: 1, fetch_types: false }), async () => {
      expect(await oldestSeconds()).toBeGreaterThan(0);
    });
  });
});
