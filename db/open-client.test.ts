import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { makeCertificate } from "@/test/certificate";
import { createDatabase } from "@/test/database";
import { parseAddress } from "./address";
import { connect, connectPool, isDatabaseUnavailable } from "./client";
import { type DisposableServer, openDisposable } from "./embedded";
import { isRoot, unprivilegedAccount } from "./embedded-account";
import { migrateDatabase } from "./migrate";
import { encryptionOf, openClient, tlsOf } from "./open-client";
import { trySessions } from "./session-settings";

const PLAIN = "postgres://ada:s%40crt@db.example:5433/imprint";
const IDENTITY: unknown = expect.any(Function);
const folder = mkdtempSync(join(tmpdir(), "imprint-tls-"));
const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const { key, cert } = makeCertificate();
const root = fileOf("root.pem", cert);
const otherRoot = fileOf("other.pem", makeCertificate().cert);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("TLS parameters as hosting providers and psql write them", () => {
  const tlsWith = (parameters: string) => tlsOf(parseAddress(PLAIN + parameters));

  test.each([
    ["", undefined],
    ["?sslmode=disable", false],
    ["?sslmode=prefer", "prefer"],
    ["?sslmode=require", "require"],
    ["?ssl=true", "require"],
    ["?sslmode=require&channel_binding=require", "require"],
    ["?sslmode=require&host=/run/postgresql", false],
    ["?sslmode=verify-full&sslrootcert=system", { checkServerIdentity: IDENTITY }],
    ["?sslmode=require&ssl_min_protocol_version=TLSv1.3", { minVersion: "TLSv1.3", rejectUnauthorized: false }],
    [`?sslmode=verify-full&sslrootcert=${root}`, { ca: cert, checkServerIdentity: IDENTITY }],
    // A root certificate without sslmode implies full verification.
    [`?sslrootcert=${root}`, { ca: cert, checkServerIdentity: IDENTITY }],
    [`?sslmode=require&sslrootcert=${root}`, { ca: cert, checkServerIdentity: IDENTITY }],
    [`?sslmode=require&sslcert=${root}&sslkey=${root}`, { cert, key: cert, rejectUnauthorized: false }],
  ])("%s", (parameters, ssl) => {
    expect(tlsWith(parameters)).toEqual(ssl);
  });

  test.each([
    ["?sslmode=safe", "expected one of disable, allow, prefer, require, verify-ca, verify-full"],
    [
      "?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
      "given as sslrootcert in the database URL cannot be read: /nowhere/ca.pem",
    ],
  ])("%s is refused with a message that does not reveal the password", (parameters, words) => {
    const refused = () => tlsWith(parameters);
    expect(refused).toThrow(words);
    expect(refused).not.toThrow(/s%40crt|s@crt/);
  });
});

test("reports for each server whether its traffic could be read in transit", () => {
  expect(encryptionOf("postgres://one.example,127.0.0.1:5433/imprint?sslmode=require")).toEqual([
    { host: "one.example", state: "unverified" },
    { host: "127.0.0.1", state: "local" },
  ]);
  expect(encryptionOf("postgres:///imprint?host=/run/postgresql")).toEqual([
    { host: "/run/postgresql", state: "local" },
  ]);
  expect(encryptionOf("postgres://one.example/imprint?sslmode=verify-full")).toEqual([
    { host: "one.example", state: "verified" },
  ]);
});

test.each(["postgres://ada@%2FFOLDER:6543/imprint", "postgres://ada@elsewhere.example/imprint?host=/FOLDER&port=6543"])(
  "reaches a server through its Unix socket directory: %s",
  async (address) => {
    const asked = new Promise<string>((resolve) => {
      const server = createServer((socket) => {
        socket.once("data", (startup) => {
          resolve(startup.toString("latin1"));
          socket.destroy();
        });
      });
      server.listen(join(folder, ".s.PGSQL.6543"));
      onTestFinished(() => void server.close());
    });
    const client = openClient(address.replace("%2FFOLDER", encodeURIComponent(folder)).replace("/FOLDER", folder), {
      max: 1,
      fetch_types: false,
    });
    onTestFinished(() => client.end({ timeout: 0 }));
    client`select 1`.catch(() => undefined);
    expect(await asked).toContain("user\0ada\0");
    expect(await asked).toContain("database\0imprint\0");
  },
);

test("a URL's parameters set neither the name by which the service is found nor the time zone of its times", async () => {
  const client = connectPool({
    ...{ url: `${await createDatabase("named")}?application_name=shop&timezone=Asia/Kolkata&work_mem=5MB` },
    ...{ poolSize: 1, prepare: false, applicationName: "imprint" },
  });
  onTestFinished(() => client.end());
  const shown = async (name: string) => {
    const [row] = await client<{ value: string }[]>`select current_setting(${name}) as value`;
    return row?.value;
  };
  expect(await shown("application_name")).toBe("imprint");
  expect(await shown("timezone")).toBe("UTC");
  expect(await shown("work_mem")).toBe("5MB");
});

describe("a server with a self-signed certificate", () => {
  let server: DisposableServer;
  const at = (host: string, parameters: string): string =>
    Object.assign(new URL(server.url), { hostname: host }).href + parameters;
  const isEncrypted = async (address: string): Promise<unknown> => {
    const client = openClient(address, { max: 1, fetch_types: false, connect_timeout: 5 });
    try {
      const [row] = await client`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
      return row?.["ssl"];
    } finally {
      await client.end({ timeout: 1 });
    }
  };

  beforeAll(async () => {
    server = await openDisposable(process.env["PG_BIN_DIR"]);
    const files = { ssl_cert_file: fileOf("server.crt", cert), ssl_key_file: fileOf("server.key", key) };
    chmodSync(folder, 0o755);
    const { uid, gid } = isRoot() ? unprivilegedAccount() : { uid: -1, gid: -1 };
    for (const file of Object.values(files)) chownSync(file, uid, gid);
    const administrator = postgres(server.url, { max: 1, fetch_types: false });
    for (const [name, value] of Object.entries({ ...files, ssl: "on" }))
      await administrator.unsafe(`alter system set ${name} = '${value}'`);
    await administrator`select pg_reload_conf()`;
    await administrator.end();
    await vi.waitUntil(() => isEncrypted(at("127.0.0.1", "?sslmode=prefer")), 10_000);
  }, 30_000);
  afterAll(() => server.stop());

  test.each([
    ["localhost", "?sslmode=require"],
    ["localhost", `?sslmode=verify-full&sslrootcert=${root}`],
    ["127.0.0.1", `?sslmode=verify-ca&sslrootcert=${root}&channel_binding=prefer`],
  ])("is encrypted at %s%s", async (host, parameters) => {
    expect(await isEncrypted(at(host, parameters))).toBe(true);
  });

  test.each([
    ["localhost", `?sslmode=verify-full&sslrootcert=${otherRoot}`, "certificate"],
    ["localhost", "?sslmode=verify-full", "self-signed certificate"],
    ["localhost", `?sslmode=verify-ca&sslrootcert=${otherRoot}`, "certificate"],
    // The certificate is for localhost only.
    ["127.0.0.1", `?sslmode=verify-full&sslrootcert=${root}`, "IP: 127.0.0.1 is not in the cert"],
  ])("is not trusted at %s%s", async (host, parameters, words) => {
    const refusal = await isEncrypted(at(host, parameters)).catch((error: unknown) => error);
    expect(String(refusal)).toContain(words);
    // The same happens when a certificate is replaced or expires while the service runs.
    expect(isDatabaseUnavailable(refusal)).toBe(true);
  });

  test("is migrated, checked and used over TLS", async () => {
    const address = at("localhost", `?sslmode=verify-full&sslrootcert=${root}`);
    expect(await trySessions(address)).toEqual({ settings: "applied", haveDeadline: true });
    expect((await migrateDatabase(address, "db/migrations")).length).toBeGreaterThan(0);
    const { pool, close } = connect({ url: address, poolSize: 4, prepare: true, applicationName: "address.test" });
    const rows = await pool`select ssl, version from pg_stat_ssl where pid = pg_backend_pid()`;
    expect(rows).toEqual([{ ssl: true, version: "TLSv1.3" }]);
    await close();
  });
});
