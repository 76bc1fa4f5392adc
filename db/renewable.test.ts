import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createRenewable } from "./renewable";

const { url } = await createTestDatabase();

test("a client that cannot be reopened because a file of its URL is missing keeps working", async () => {
  let opened = 0;
  const { client, renew, close } = createRenewable(() => {
    opened += 1;
    if (opened === 2) throw new Error("the root certificate cannot be read");
    return postgres(url, { max: 1, fetch_types: false });
  });
  onTestFinished(close);
  const pidOf = async () => (await client`select pg_backend_pid() as pid`)[0]?.["pid"] as unknown;
  const first = await pidOf();
  renew();
  expect(await pidOf()).toBe(first);
  renew();
  expect(await pidOf()).not.toBe(first);
});
