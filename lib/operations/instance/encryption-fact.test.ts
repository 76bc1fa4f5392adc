import { expect, test } from "vitest";

import { checkEncryption } from "./encryption-fact";

const assess = (...urls: string[]) => checkEncryption(urls);

test("a database elsewhere that is reached in the clear is told, with what to do", () => {
  const [fact] = assess("postgres://ada:secret@db.example/imprint");
  expect(fact).toMatchObject({ status: "warn", text: "What passes to and from db.example may not be encrypted." });
  expect(fact?.fix).toContain("sslmode=verify-full");
  expect(assess("postgres://db.example/imprint?sslmode=prefer")).toEqual([fact]);
});

test("encryption that checks no certificate is told as such", () => {
  const [fact] = assess("postgres://10.0.0.7/imprint?sslmode=require&channel_binding=require");
  expect(fact).toMatchObject({
    status: "warn",
    text: expect.stringContaining("10.0.0.7 is encrypted, without") as unknown,
  });
});

test("of a primary and a replica the worse counts", () => {
  const verified = "postgres://db.example/imprint?sslmode=verify-full";
  expect(assess(verified)).toMatchObject([{ status: "ok" }]);
  expect(assess(verified, "postgres://replica.example/imprint")).toMatchObject([
    { status: "warn", text: "What passes to and from replica.example may not be encrypted." },
  ]);
});

test("nothing leaves this machine for a database on it", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    expect(assess(`postgres://${host}:5433/imprint`)).toMatchObject([{ status: "ok" }]);
  expect(assess()).toEqual([]);
});
