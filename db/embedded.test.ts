import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { makeDataDir, queryOnce, useStartedDataDir } from "@/test/data-dirs";
import { openDisposable, openEmbedded, type EmbeddedServer } from "./embedded";
import { DATABASE, readConnection, urlOf } from "./embedded-connection";
import { databaseFolder } from "./embedded-place";
import { postmasterOn } from "./embedded-processes";

const isRoot = process.getuid?.() === 0;
let dataDir: string;
let opened: EmbeddedServer[] = [];

const fill = useStartedDataDir();
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(async () => {
  for (const server of opened.splice(0)) {
    await server.close();
    rmSync(server.folder, { recursive: true, force: true });
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Opens the server of a data directory that was used before. */
async function openPrepared(): Promise<EmbeddedServer> {
  fill(dataDir);
  return await open();
}

async function open(): Promise<EmbeddedServer> {
  const server = await openEmbedded({ dataDir, binDir: undefined });
  opened.push(server);
  return server;
}

/** The process group of the program that creates the files in `dataDir`; undefined while none runs. */
function groupOfInitdb(): number | undefined {
  const listed = execFileSync("ps", ["-eo", "pgid=,args="], { encoding: "utf8" }).split("\n");
  const line = listed.find((each) => each.includes("/initdb ") && each.includes(dataDir));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

const postmasterOf = ({ folder }: EmbeddedServer) => postmasterOn(join(folder, "data"));
const idOf = (server: EmbeddedServer) => {
  const id = postmasterOf(server);
  if (id === undefined) throw new Error("the server does not run");
  return id;
};

async function waitUntilGone(id: number) {
  await expect
    .poll(() => existsSync(`/proc/${id}`) && !readFileSync(`/proc/${id}/stat`, "utf8").includes(") Z "))
    .toBe(false);
}

test("Ctrl-C, which a terminal sends to the whole group, does not reach the program that creates the files", async () => {
  const opening = open();
  let group: number | undefined;
  await expect.poll(() => (group = groupOfInitdb()), { interval: 5 }).toBeDefined();
  const own = Number.parseInt(execFileSync("ps", ["-o", "pgid=", "-p", String(process.pid)], { encoding: "utf8" }), 10);
  expect(group).not.toBe(own);
  await opening;
});

test("four concurrent first starts share one server", async () => {
  const servers = await Promise.all([open(), open(), open(), open()]);
  expect(new Set(servers.map((server) => server.url)).size).toBe(1);
  expect(servers.filter((server) => !server.isAdopted)).toHaveLength(1);
});

test("only the last user stops the server, and its rows are kept until the next start", async () => {
  const [first, second] = [await openPrepared(), await open()];
  await queryOnce(first.url, "create table kept as select 42 as answer");
  expect(await first.close()).toBe("shared");
  expect(await queryOnce(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  expect(await second.close()).toBe("stopped");
  expect(postmasterOf(second)).toBeUndefined();
  opened = [];
  expect(await queryOnce((await open()).url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("after kill -9 of the server the next start recovers immediately", async () => {
  const first = await openPrepared();
  await queryOnce(first.url, "create table kept as select 42 as answer");
  const id = idOf(first);
  process.kill(id, "SIGKILL");
  await waitUntilGone(id);
  const second = await open();
  expect(second.isAdopted).toBe(false);
  expect(await queryOnce(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("after a kill during a long statement the next start waits for the backend that is still running", async () => {
  const first = await openPrepared();
  const computing = queryOnce(first.url, "select count(*) from generate_series(1, 6000000)").catch(() => undefined);
  const busy = "select count(*)::int as count from pg_stat_activity where query like 'select count(*) from gen%'";
  await expect.poll(() => queryOnce(first.url, busy)).toEqual([{ count: 1 }]);
  process.kill(idOf(first), "SIGKILL");
  const second = await open();
  expect(second.isAdopted).toBe(false);
  expect(await queryOnce(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await computing;
});

test.each([
  ["another program", "exec sleep 60", (id: number) => id],
  ["a zombie", "sleep 0 & echo $!; exec sleep 60", (_: number, printed: string) => Number(printed)],
])("a lock file that names %s does not block the start", async (_name, script, choose) => {
  const first = await openPrepared();
  const { uid, gid } = statSync(join(first.folder, "data"));
  await first.close();
  opened = [];
  const other = spawn("sh", ["-c", script], { uid, gid, cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  try {
    let printed = "";
    other.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => choose(other.pid ?? 0, printed)).toBeGreaterThan(0);
    const lockFile = join(first.folder, "data/postmaster.pid");
    writeFileSync(
      lockFile,
      `${choose(other.pid ?? 0, printed)}\n${first.folder}/data\n1\n1\n\n127.0.0.1\n1 1\nready\n`,
    );
    chownSync(lockFile, uid, gid);
    expect(await queryOnce((await open()).url, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    other.kill("SIGKILL");
  }
});

test("another program on the saved port is not mistaken for the server", async () => {
  const stranger = await openDisposable();
  try {
    const first = await openPrepared();
    await first.close();
    opened = [];
    const saved = readConnection(dataDir);
    const port = Number(new URL(stranger.url).port);
    writeFileSync(join(dataDir, "conn.json"), JSON.stringify({ ...saved, port }));
    const second = await open();
    expect(second.isAdopted).toBe(false);
    expect(second.port).not.toBe(port);
    expect(await queryOnce(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  } finally {
    await stranger.stop();
  }
});

test("a damaged conn.json is named, and removing it is enough", async () => {
  const first = await openPrepared();
  await first.close();
  opened = [];
  writeFileSync(join(dataDir, "conn.json"), "");
  await expect(openEmbedded({ dataDir, binDir: undefined })).rejects.toThrow(
    `${join(dataDir, "conn.json")} is damaged. Remove it`,
  );
  rmSync(join(dataDir, "conn.json"));
  expect(await queryOnce((await open()).url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a lost conn.json does not lock the owner out of the data", async () => {
  const first = await openPrepared();
  await queryOnce(first.url, "create table kept as select 42 as answer");
  rmSync(join(dataDir, "conn.json"));
  await expect(open()).rejects.toThrow(`PostgreSQL (process ${idOf(first)}) is running on ${first.folder}, but `);
  await first.close();
  opened = [];
  const second = await open();
  expect(await queryOnce(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("the password is required and stored in a file only its owner can read, and only loopback listens", async () => {
  const { url } = await open();
  expect(statSync(join(dataDir, "conn.json")).mode & 0o777).toBe(0o600);
  const withoutPassword = Object.assign(new URL(url), { password: "wrong" }).href;
  await expect(queryOnce(withoutPassword, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(await queryOnce(url, "show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  const saved = readConnection(dataDir);
  const administrator = saved ? urlOf(saved, DATABASE) : "";
  expect(await queryOnce(administrator, "show unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
  expect(await queryOnce(url, "show TimeZone")).toEqual([{ TimeZone: "UTC" }]);
});

test("the service is not a superuser: it can neither access files nor run programs", async () => {
  const { url } = await openPrepared();
  expect(
    await queryOnce(url, "select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user"),
  ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
  for (const statement of [
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/passwd')",
    "create role other",
  ])
    await expect(queryOnce(url, statement)).rejects.toMatchObject({ code: "42501" });
});

test("objects created by 0.1.0 as the superuser belong to the service's role from the next start on", async () => {
  const first = await open();
  const saved = readConnection(dataDir);
  if (!saved) throw new Error("conn.json is missing");
  await queryOnce(
    urlOf(saved, DATABASE),
    `create schema drizzle; create table drizzle.migrated (id serial primary key);
     create table kept (id bigint generated always as identity, at int) partition by range (at);
     create table kept_1 partition of kept for values from (1) to (9);
     create function answer() returns int language sql as 'select 42';`,
  );
  await first.close();
  opened = [];
  const { port, password, folder } = saved;
  writeFileSync(join(dataDir, "conn.json"), JSON.stringify({ port, password, folder }));
  const { url } = await open();
  await queryOnce(
    url,
    `alter table kept add column more text; create table kept_2 partition of kept for values from (9) to (20);
     insert into kept (at) values (2); insert into drizzle.migrated default values;
     alter table drizzle.migrated add column hash text; create or replace function answer() returns int language sql as 'select 43';
     drop table kept_1;`,
  );
  expect(readConnection(dataDir)?.servicePassword).not.toBe(saved.servicePassword);
});

test("a database in use in another container, whose processes and port do not exist here, is neither started nor left as in use", async () => {
  const first = await open();
  const names = () => readdirSync(first.folder).filter((name) => name.startsWith("in-use."));
  expect(names()).toHaveLength(1);
  await first.close();
  opened = [];
  expect(names()).toEqual([]);
  const elsewhere = join(first.folder, "in-use.1");
  let touched = 0;
  const timer = setInterval(() => {
    writeFileSync(elsewhere, String((touched += 1)));
  }, 20);
  onTestFinished(() => {
    clearInterval(timer);
    rmSync(first.folder, { recursive: true, force: true });
  });
  await expect.poll(names).toEqual(["in-use.1"]);
  await expect(open()).rejects.toThrow("in use in another container");
  expect(postmasterOf(first)).toBeUndefined();
  expect(names()).toEqual(["in-use.1"]);
});

test("PG_BIN_DIR without the programs is refused with a message that names it", async () => {
  await expect(openEmbedded({ dataDir, binDir: "/nowhere" })).rejects.toThrow("PG_BIN_DIR=/nowhere has no postgres");
});

test("under a folder that others cannot enter, and with a restrictive umask, root's data goes to a folder outside, with a link; an ordinary user's stays inside", async () => {
  chmodSync(dataDir, 0o700);
  const mask = process.umask(0o077);
  const first = await open().finally(() => process.umask(mask));
  expect(first.folder).toBe(isRoot ? `/var/lib/imprint-postgres${dataDir}/postgres` : join(dataDir, "postgres"));
  expect(first.isOutside).toBe(isRoot);
  expect(databaseFolder(dataDir)).toBe(first.folder);
  expect(realpathSync(join(dataDir, "postgres"))).toBe(first.folder);
  expect(statSync(first.folder).mode & 0o077).toBe(0);
  const user = execFileSync("ps", ["-o", "uid=", "-p", String(idOf(first))], { encoding: "utf8" }).trim();
  expect(user).not.toBe("0");
  await queryOnce(first.url, "create table kept as select 42 as answer");
  await first.close();
  opened = [];
  const second = await open();
  expect(second.folder).toBe(first.folder);
  expect(await queryOnce(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.close();
  opened = [];
  // The link alone is enough to find it.
  rmSync(join(dataDir, "conn.json"));
  const third = await open();
  expect(third.folder).toBe(first.folder);
  expect(await queryOnce(third.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("the outside database of a removed data directory is neither used for the next one nor lost", async () => {
  chmodSync(dataDir, 0o700);
  const first = await open();
  await queryOnce(first.url, "create table kept as select 42 as answer");
  await first.close();
  opened = [];
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  if (isRoot) {
    await expect(open()).rejects.toThrow(`${first.folder} contains the database of an earlier ${dataDir}`);
    expect(existsSync(join(first.folder, "data/PG_VERSION"))).toBe(true);
    rmSync(dirname(first.folder), { recursive: true });
  }
  await expect(queryOnce((await open()).url, "select answer from kept")).rejects.toMatchObject({ code: "42P01" });
});
