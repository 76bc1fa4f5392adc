import { expect, test } from "vitest";

import { checkEncryption } from "./encryption";

const assess = (...urls: string[]) => checkEncryption(urls);

test("an unencrypted connection to a remote database is reported, with advice", () => {
  const [fact] = assess("postgres://ada:secret@db.example/imprint");
  expect(fact).toMatchObject({ status: "warn", text: "The connection to db.example may be unencrypted." });
  expect(fact?.fix).toContain("sslmode=verify-full");
  expect(assess("postgres://db.example/imprint?sslmode=prefer")).toEqual([fact]);
});

test("encryption without certificate verification is reported as such", () => {
  const [fact] = assess("postgres://10.0.0.7/imprint?sslmode=require&channel_binding=require");
  expect(fact).toMatchObject({
    status: "warn",
    text: expect.stringContaining("10.0.0.7 is encrypted, but") as unknown,
  });
});

test("the worse of primary and replica counts", () => {
  const verified = "postgres://db.example/imprint?sslmode=verify-full";
  expect(assess(verified)).toMatchObject([{ status: "ok" }]);
  expect(assess(verified, "postgres://replica.example/imprint")).toMatchObject([
    { status: "warn", text: "The connection to replica.example may be unencrypted." },
  ]);
});

test("a local database needs no encryption", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    expect(assess(`postgres://${host}:5433/imprint`)).toMatchObject([{ status: "ok" }]);
  expect(assess()).toEqual([]);
});
