import { expect, test } from "vitest";

import { trySessions } from "@/db/session-settings";
import { databaseUrl } from "@/test/database";
import { namingDatabase, whyUnusable } from "./name-database";

const SECRET = "pass-word-that-nobody-may-read";
const own = new URL(await databaseUrl("imprint_template"));

const refusalOf = (url: string, variable = "DATABASE_URL"): Promise<string> =>
  namingDatabase(variable, url, () => trySessions(url)).then(
    () => "it was usable",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test.each([
  [
    `postgres://ada:${SECRET}@nowhere.invalid/shop`,
    /^DATABASE_URL \(database shop at nowhere\.invalid:5432, user ada\) cannot be used: the host name .*: .* \((?:ENOTFOUND|EAI_AGAIN)\)$/,
  ],
  [
    `postgres://ada:${SECRET}@127.0.0.1:9/shop`,
    /^DATABASE_URL \(database shop at 127\.0\.0\.1:9, user ada\) cannot be used: nothing accepts connections there: .* \(ECONNREFUSED\)$/,
  ],
  [
    `postgres://ada:${SECRET}@nowhere.invalid,127.0.0.1:9/shop`,
    /^DATABASE_URL \(database shop at nowhere\.invalid:5432 or 127\.0\.0\.1:9, user ada\) cannot be used: /,
  ],
  [
    `postgres:///shop?host=/nowhere&user=ada&password=${SECRET}`,
    /^DATABASE_URL \(database shop at \/nowhere:5432, user ada\) cannot be used: .* \(ENOENT\)$/,
  ],
  [
    `postgres://ada:${SECRET}@127.0.0.1:port/shop`,
    /^DATABASE_URL cannot be used: The database URL is invalid: expected/,
  ],
  [
    `postgres://ada:${SECRET}@127.0.0.1/shop?sslmode=verify-full&sslrootcert=/nowhere.pem`,
    /^DATABASE_URL \(.*\) cannot be used: The file given as sslrootcert in the database URL cannot be read: \/nowhere\.pem$/,
  ],
])("%s is refused by the name of the variable and of the server, without the password", async (url, refusal) => {
  const told = await refusalOf(url);
  expect(told).toMatch(refusal);
  expect(told).not.toContain(SECRET);
});

test("a database that does not exist is named", async () => {
  const url = Object.assign(new URL(own), { pathname: "/not_there" }).href;
  expect(await refusalOf(url, "DATABASE_READ_URL")).toMatch(
    /^DATABASE_READ_URL \(database not_there at .*\) cannot be used: the database does not exist there: .* \(3D000\)\. The server says: database "not_there" does not exist$/,
  );
});

test("a wrong user is named, and a wrong password is not", async () => {
  const url = Object.assign(new URL(own), { username: "nobody_here", password: SECRET }).href;
  const told = await refusalOf(url);
  expect(told).toMatch(
    /^DATABASE_URL \(.*, user nobody_here\) cannot be used: .* \((?:28P01|28000)\)\. The server says: /,
  );
  expect(told).not.toContain(SECRET);
});

test("a server without TLS is named as such, not as a lost connection", async () => {
  expect(await refusalOf(`${own.href}?sslmode=require`)).toMatch(
    /cannot be used: it accepts no TLS connection, or closed it: enable TLS on the server .*\(ECONNRESET\)$/,
  );
});

test("rules that require TLS, and a certificate of an own authority, are told with the parameter to add", () => {
  const refused = Object.assign(new Error("pg_hba.conf rejects connection for host, no encryption"), {
    code: "28000",
    severity: "FATAL",
  });
  expect(whyUnusable("DATABASE_URL", "postgres://ada@db/shop", refused)).toContain("add sslmode=verify-full");
  expect(whyUnusable("DATABASE_URL", "postgres://ada@db/shop?sslmode=require", refused)).not.toContain("verify-full");
  const unknown = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(whyUnusable("DATABASE_URL", "postgres://ada@db/shop?sslmode=verify-full", unknown)).toContain(
    "sslrootcert=FILE",
  );
});
