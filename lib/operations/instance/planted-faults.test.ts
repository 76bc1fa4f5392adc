import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";

import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";

import { connect } from "@/db/client";
import { asAdministrator, createTestDatabase } from "@/test/database";
import { examineProviders } from "@/lib/tenancy/sign-in";
import { operatorContext } from "@/test/workspaces";
import { assessServer, assessWrites } from "./domain/server-state";
import { doctor, doctorWithoutDatabase, worstOf } from "./doctor";
import { readServerState } from "./queries";
import { runChecks } from "./run-checks";
import { checkLimits, checkMail, checkProviders } from "./services";

const { db, url } = await createTestDatabase();
const dependencies = { migrationsFolder: `${process.cwd()}/db/migrations` };
const nameOfDatabase = new URL(url).pathname.slice(1);

async function told(name: string): Promise<{ status: string; text: string } | undefined> {
  return (await doctor(operatorContext(db), dependencies)).find((fact) => fact.name === name);
}

const SOUND = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  autovacuum: "on",
  track_counts: "on",
  is_standby: false,
  is_read_only: false,
  oldest_transaction_seconds: 0.2,
  sees_all_sessions: true,
  prepared_transactions: 0,
  idle_slots: "",
  slot_bytes: "0",
};

test.each([
  [{}, "ok", ""],
  [{ fsync: "off" }, "fail", "fsync is off"],
  [{ full_page_writes: "off" }, "fail", "full_page_writes is off"],
  [{ synchronous_commit: "off" }, "fail", "synchronous_commit is off"],
  [{ autovacuum: "off" }, "fail", "autovacuum is off"],
  [{ track_counts: "off" }, "fail", "track_counts is off"],
  [{ oldest_transaction_seconds: 4_000 }, "warn", "open for 4000 s"],
  [{ sees_all_sessions: false }, "ok", "once it has pg_read_all_stats"],
  [{ prepared_transactions: 1 }, "warn", "1 prepared transaction is"],
  [{ idle_slots: "old_standby", slot_bytes: "9000000000" }, "warn", "old_standby: they retain 9.0 GB"],
])("the worst fact about a server with %j is %s", (planted, status, text) => {
  const facts = assessServer({ ...SOUND, ...planted });
  expect(worstOf(facts)).toBe(status);
  expect(facts.filter((fact) => fact.status !== "ok").length).toBe(status === "ok" ? 0 : 1);
  expect(facts.map((fact) => fact.text).join(" ")).toContain(text);
});

test.each([
  [{}, undefined, "ok", "accepts writes"],
  [{ is_standby: true }, "25006", "fail", "standby"],
  [{ is_read_only: true }, "25006", "fail", "read-only"],
  [{}, "25006", "fail", "read-only"],
  [{}, "53100", "fail", "disk of the database is full"],
  [{}, "42501", "fail", "refuses a write (42501)"],
])("writes to a server with %j that answers %s are reported as %s", (planted, code, status, text) => {
  expect(assessWrites({ ...SOUND, ...planted }, code)).toMatchObject({
    status,
    text: expect.stringContaining(text) as string,
  });
});

test("faults on a real server are detected: settings, an open transaction, a read-only database", async () => {
  const before = await readServerState(db);
  expect(before.fsync).toBe("off");
  await db.transaction(async () => {
    await expect.poll(async () => (await readServerState(db)).oldest_transaction_seconds).toBeGreaterThan(0);
  });
  expect(await told("writes")).toMatchObject({ status: "ok" });
  await asAdministrator(`alter database ${nameOfDatabase} set default_transaction_read_only = on`);
  await asAdministrator(`alter database ${nameOfDatabase} set synchronous_commit = off`);
  const again = connect({ url, poolSize: 2, prepare: true, applicationName: "test" });
  try {
    const facts = await doctor(operatorContext(again.db), dependencies);
    expect(facts.find(({ name }) => name === "writes")).toMatchObject({
      status: "fail",
      text: "The database is read-only.",
    });
    expect(facts.find(({ name }) => name === "durability")?.text).toContain("synchronous_commit");
  } finally {
    await again.close();
    await asAdministrator(`alter database ${nameOfDatabase} reset all`);
  }
});

test("a missing index and column are named, and so are failed or late jobs", async () => {
  await db.execute(sql`drop index trial_intents_unresolved`);
  await db.execute(sql`alter table workspaces rename column name to title`);
  await db.execute(sql`insert into jobs (name, due_at, last_error) values
    ('count-slices', now() + interval '1 day', 'RangeError'), ('fold-usage', now() - interval '2 hours', '')`);
  expect((await told("schema"))?.text).toBe(
    "The schema is damaged: the index trial_intents_unresolved is missing, workspaces.name is missing.",
  );
  expect((await told("jobs"))?.text).toBe("Not healthy: count-slices (RangeError), fold-usage (overdue by 120 min).");
});

async function listenAlone(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

test("a dead or hanging Redis or mail server is reported within its deadline", async () => {
  expect(await checkLimits("redis://127.0.0.1:1")).toMatchObject({ status: "fail" });
  expect(await checkMail("smtp://127.0.0.1:1")).toMatchObject({
    status: "fail",
    text: expect.stringContaining("(nothing accepts connections there, ECONNREFUSED)") as string,
  });
  const port = await listenAlone(createServer(() => undefined));
  const startedAt = performance.now();
  const facts = await Promise.all([
    checkLimits(`redis://127.0.0.1:${port}`),
    checkMail(`smtp://127.0.0.1:${port}`, 300),
  ]);
  expect(facts.map(({ status }) => status)).toEqual(["fail", "fail"]);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});

test("an identity provider is checked: it has to answer with its configured issuer and about the same time", async () => {
  const provider = createHttpServer(({ url = "" }, res) => {
    const issuer = `http://127.0.0.1:${port}${url.replace("/.well-known/openid-configuration", "")}`;
    if (url.startsWith("/late/")) res.setHeader("Date", new Date(Date.now() - 120_000).toUTCString());
    if (url.startsWith("/cached/")) res.setHeader("Date", new Date(Date.now() - 120_000).toUTCString());
    if (url.startsWith("/cached/")) res.setHeader("Age", "120");
    if (url.startsWith("/gone/")) res.statusCode = 404;
    res.end(url.startsWith("/page/") ? "<html>" : JSON.stringify({ issuer: url.startsWith("/other/") ? "x" : issuer }));
  });
  const port = await listenAlone(provider);
  const names = ["sound", "cached", "late", "other", "page", "gone"];
  const providers = names.map((name) => ({ name, issuer: `http://127.0.0.1:${port}/${name}` }));
  const facts = await checkProviders(
    examineProviders([...providers, { name: "dead", issuer: "http://127.0.0.1:5299" }]),
  );
  expect(facts.map(({ status, text }) => `${status} ${text}`)).toEqual([
    "ok People can sign in with sound.",
    "ok People can sign in with cached.",
    expect.stringMatching(/^warn The clocks of late and this machine differ by 12\d s, so its tokens/),
    "fail Nobody can sign in with other: its issuer is x.",
    expect.stringMatching(/^fail Nobody can sign in with page: .* is not OpenID provider metadata\.$/),
    expect.stringMatching(/^fail Nobody can sign in with gone: .* answers 404\.$/),
    "fail Nobody can sign in with dead: nothing accepts connections there, ECONNREFUSED.",
  ]);
});

test("a check that hangs or throws becomes a fact, and the others still run", async () => {
  const checked: string[] = [];
  const facts = await runChecks(
    [
      ["hangs", () => new Promise(() => undefined)],
      ["throws", () => Promise.reject(Object.assign(new Error("secret"), { code: "42P01" }))],
      ["fine", () => ({ name: "fine", status: "ok", text: "Fine." })],
    ],
    { deadlineMs: 50, onChecked: (share, name) => checked.push(`${name} ${share.toFixed(2)}`) },
  );
  expect(facts.map(({ name, status }) => `${name} ${status}`)).toEqual(["hangs fail", "throws fail", "fine ok"]);
  expect(checked.map((line) => line.split(" ")[1])).toEqual(["0.33", "0.67", "1.00"]);
  expect(facts[1]?.text).toBe("This could not be checked (42P01).");
});

test("without a database, everything else is reported, with the reason", async () => {
  const facts = await doctorWithoutDatabase("it does not answer", dependencies);
  expect(facts[0]).toMatchObject({ name: "database", status: "fail" });
  expect(facts[0]?.text).toContain("it does not answer");
  expect(facts.map(({ name }) => name)).toEqual(expect.arrayContaining(["secrets-file", "address", "limits", "node"]));
});
