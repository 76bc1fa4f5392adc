import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { FULL_DISK } from "@/test/full-disk";
import { memberContext, createTestWorkspace, operatorContext } from "@/test/workspaces";
import { describeBackups } from "./backups";
import { checkBaseUrl } from "./domain/addresses";
import { assessConnections } from "./domain/connections";
import { assessOpenFiles } from "./domain/open-files";
import { createNoteRecorder, isNoted } from "./note-recorder";
import { doctor } from "./index";
import { checkDisk, checkNode, checkSecretsFile } from "./machine";

const { db } = await createTestDatabase();
const dependencies = { migrationsFolder: join(process.cwd(), "db/migrations") };
const statusOf = (facts: { name: string; status: string }[], name: string) =>
  facts.find((fact) => fact.name === name)?.status;

test("a healthy instance has no failures, and every warning says what to do", async () => {
  const facts = await doctor(operatorContext(db), dependencies);
  expect(facts.map(({ name }) => name)).toEqual([
    "database",
    "writes",
    "durability",
    "vacuum",
    "transactions",
    "replication-slots",
    "connections",
    "open-files",
    "migrations",
    "schema",
    "partitions",
    "jobs",
    "webhooks",
    "recognition",
    "secrets",
    "proxies",
    "retention",
    "space",
    "secrets-file",
    "address",
    "limits",
    "mail",
    "payments",
    "backups",
    "node",
  ]);
  // The test server trades durability for speed.
  expect(facts.filter(({ status }) => status === "fail").map(({ name }) => name)).toEqual(["durability"]);
  expect(facts.filter(({ status, fix }) => status !== "ok" && !fix)).toEqual([]);
});

test("a clock that differs from the database's by a day is named, even if it was set after this process started", async () => {
  for (const days of [-1, 1]) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * 86_400_000 });
    const facts = await doctor(operatorContext(db), dependencies).finally(() => vi.useRealTimers());
    expect(facts.find(({ name }) => name === "database")).toMatchObject({
      status: "warn",
      text: expect.stringMatching(/^The clocks of the database and this machine differ by 86[34]\d\d s\.$/) as string,
    });
  }
});

test("too many processes for the server's connections are reported, with a size that fits", () => {
  const assess = (workers: number, poolSize: number) => assessConnections({ workers, poolSize, most: 97 });
  expect(assess(1, 16)).toMatchObject({ status: "ok" });
  expect(assess(5, 16)).toMatchObject({ status: "ok" });
  expect(assess(8, 16)).toMatchObject({ status: "warn" });
  expect(assess(8, 16).fix).toContain("Set DATABASE_POOL_SIZE to 10 or less");
  expect(assess(8, 10)).toMatchObject({ status: "ok" });
});

test("a missing partition and a failed job are reported", async () => {
  const month = new Date().toISOString().slice(0, 7).replace("-", "");
  await db.execute(sql`drop table ${sql.raw(`report_deliveries_${month}`)}`);
  await db.execute(
    sql`insert into jobs (name, due_at, last_error) values ('fold-usage', now() + interval '1 day', 'RangeError')`,
  );
  const facts = await doctor(operatorContext(db), dependencies);
  expect(statusOf(facts, "partitions")).toBe("fail");
  expect(facts.find(({ name }) => name === "jobs")?.text).toContain("fold-usage (RangeError)");
});

test("forwarding headers of an untrusted peer are recorded and reported", async () => {
  expect(statusOf(await doctor(operatorContext(db), dependencies), "proxies")).toBe("ok");
  const note = createNoteRecorder(db, "untrusted-forwarding");
  note(0);
  await vi.waitFor(async () => {
    expect(await isNoted(db, "untrusted-forwarding")).toBe(true);
  });
  expect(statusOf(await doctor(operatorContext(db), dependencies), "proxies")).toBe("warn");
});

test("a low limit of open files is reported, and so are connections that were closed because of one", async () => {
  expect(assessOpenFiles({ limit: 256, connections: 128, isEnough: false }, false)).toMatchObject({
    status: "warn",
    text: expect.stringContaining("256 files open and serves up to 128 connections") as string,
    fix: expect.stringContaining("ulimit -n") as string,
  });
  expect(statusOf(await doctor(operatorContext(db), dependencies), "open-files")).toBe("ok");
  createNoteRecorder(db, "connections-closed")(0);
  await vi.waitFor(async () => {
    expect(await isNoted(db, "connections-closed")).toBe(true);
  });
  expect(statusOf(await doctor(operatorContext(db), dependencies), "open-files")).toBe("warn");
});

test("an unavailable database is reported as a failure and does not make doctor itself fail", async () => {
  const away = connect({ url: "postgres://app@127.0.0.1:1/x", poolSize: 1, prepare: false, applicationName: "test" });
  onTestFinished(() => away.close());
  const facts = await doctor(operatorContext(away.db), dependencies);
  expect(statusOf(facts, "database")).toBe("fail");
  expect(statusOf(facts, "node")).toBe("ok");
});

test("backups are reported with their age, and a missing one is a failure", () => {
  const last = { file: "/backups/imprint.backup", ageSeconds: 8 * 3600, bytes: 2_500_000 };
  const fine = describeBackups({ ...last, ok: true });
  expect(fine.status).toBe("ok");
  expect(fine.text).toContain("8 hours old and has 2.5 MB");
  expect(describeBackups({ ...last, ok: false })).toMatchObject({ status: "fail" });
  expect(describeBackups("none").status).toBe("warn");
  expect(describeBackups("unreadable")).toMatchObject({ status: "fail", text: "BACKUP_DIR cannot be read." });
  const unwritable = describeBackups("none", "EACCES");
  expect([unwritable.status, unwritable.text.includes("(EACCES)")]).toEqual(["fail", true]);
  expect(describeBackups({ ...last, ok: false }, "EROFS")).toMatchObject({ status: "fail" });
  expect(describeBackups({ ...last, ok: true }, "EACCES")).toMatchObject({ status: "warn" });
  expect(describeBackups(undefined).fix).toContain("BACKUP_DIR");
});

test("unconfigured payments are not a fault", async () => {
  const facts = await doctor(operatorContext(db), dependencies);
  expect(facts.find(({ name }) => name === "payments")).toMatchObject({ status: "ok" });
});

test("only operators can run doctor", async () => {
  const owner = await memberContext(db, await createTestWorkspace(db), "owner");
  await expect(doctor(owner, dependencies)).rejects.toMatchObject({ code: "forbidden" });
});

test("a secrets file that others can read is a failure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "imprint-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "secrets");
  await writeFile(file, "x", { mode: 0o600 });
  expect(await checkSecretsFile(file)).toMatchObject({ status: "ok" });
  await chmod(file, 0o640);
  expect(await checkSecretsFile(file)).toMatchObject({ status: "fail", fix: `chmod 600 ${file}` });
  expect(await checkSecretsFile(join(folder, "other"))).toMatchObject({ status: "fail" });
  expect(await checkSecretsFile(undefined)).toMatchObject({ status: "ok" });
  expect(await checkDisk(folder)).toMatchObject({ name: "disk" });
});

test("a full disk is a failure whose remedy says what to remove", async () => {
  const { status, fix } = await checkDisk(FULL_DISK);
  expect([status, fix]).toEqual(["fail", expect.stringMatching(/^Remove what does not belong to Imprint/)]);
});

test.each([
  ["20.19.0", "ok"],
  ["22.0.0", "ok"],
  ["20.18.9", "fail"],
  ["18.20.0", "fail"],
])("Node %s is %s", (version, status) => {
  expect(checkNode(version).status).toBe(status);
});

test.each([
  ["http://localhost:3000", { host: "localhost", isSet: false }, "ok"],
  ["http://localhost:3000", { host: "0.0.0.0", isSet: false }, "warn"],
  ["https://imprint.example/imprint", { host: "0.0.0.0", isSet: true }, "fail"],
  ["http://imprint.example", { host: "0.0.0.0", isSet: true }, "warn"],
  ["https://imprint.example", { host: "0.0.0.0", isSet: true }, "ok"],
])("the address %s with %j is %s", (base, options, status) => {
  expect(checkBaseUrl(base, options).status).toBe(status);
});
