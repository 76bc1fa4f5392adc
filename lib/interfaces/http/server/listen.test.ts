import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import { expect, onTestFinished, test } from "vitest";

import { listen } from "./listen";

test("a port in use is refused with advice on choosing another", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expect(listen({ port, host: "127.0.0.1" }, () => undefined)).rejects.toThrow(
    `Port ${port} is used by another program. Choose another one: PORT=${port + 1} npm start`,
  );
});

test.each([
  ["198.51.100.7", "EADDRNOTAVAIL"], // an address for documentation, which no machine has: RFC 5737
  ["no-host.invalid", "ENOTFOUND|EAI_AGAIN"],
])("HOST=%s, which is none of this machine, is refused by the name of the variable", async (host, code) => {
  await expect(listen({ port: 0, host }, () => undefined)).rejects.toThrow(
    new RegExp(`^HOST ${host} cannot be listened on \\((?:${code})\\)\\. Set it to an address of this machine`),
  );
});

test("the server keeps listening after connections that could not be accepted", async () => {
  const taken: Socket[] = [];
  const listening = await listen({ port: 0, host: "127.0.0.1" }, (connection) => {
    taken.push(connection);
    connection.end("answered");
  });
  onTestFinished(listening.close);
  expect(await text(connect(listening.port, "127.0.0.1"))).toBe("answered");
  const server = taken[0] && (Reflect.get(taken[0], "server") as NodeJS.EventEmitter); // safe: Node sets it

  // Node emits this for each failed accept(2).
  for (const code of ["ENOBUFS", "ENOMEM", "EPERM"]) server?.emit("error", Object.assign(new Error(code), { code }));

  expect(await text(connect(listening.port, "127.0.0.1"))).toBe("answered");
  expect(taken).toHaveLength(2);
});
