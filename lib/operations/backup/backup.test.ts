import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { migrateDatabase } from "@/db/migrate";
import { createDatabase } from "@/test/database";
import type { Encryption, Unlock } from "./encryption";
import { verifyBackup } from "./read-backup";
import { restoreBackup } from "./restore-backup";
import { query } from "@/scripts/common/connection";
import { makeMigrations, SILENT } from "./testing";
import { writeBackup } from "./write-backup";

const folder = mkdtempSync(join(tmpdir(), "imprint-backups-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const SECRETS = {
  AUTH_SECRET: "a".repeat(32),
  KEY_PEPPER: "k1:AAAA",
  KEKS: "k1:BBBB",
  OAUTH_COOKIE_KEYS: "c".repeat(32),
};
const PASSPHRASE = { kind: "passphrase", passphrase: "correct horse battery" } as const;
const PLAIN: Encryption = { kind: "none" };

/** Everything that COPY, partitions and keys can make difficult. */
const FIRST = `
create table parents (
  id bigint generated always as identity primary key,
  name text not null,
  name_length int generated always as (length(name)) stored,
  child_id bigint not null,
  "odd ""Name" jsonb
);
--> statement-breakpoint
create table children (id bigserial primary key, parent_id bigint not null, body bytea, at timestamptz, share float8, tags text[]);
--> statement-breakpoint
alter table parents add constraint parents_child foreign key (child_id) references children (id) deferrable initially deferred;
--> statement-breakpoint
alter table children add constraint children_parent foreign key (parent_id) references parents (id) on delete cascade;
--> statement-breakpoint
create table events (event_id uuid primary key, parent_id bigint not null references parents (id), report text not null) partition by range (event_id);
--> statement-breakpoint
create index events_by_parent on events (parent_id, event_id);
--> statement-breakpoint
create unique index parents_name on parents (lower(name)) where name <> '';
--> statement-breakpoint
create unlogged table caches (id int);
--> statement-breakpoint
create function stamp() returns trigger language plpgsql as $$ begin new.name := new.name || '!'; return new; end $$;
--> statement-breakpoint
create trigger stamp before insert on parents for each row execute function stamp();
`;
const SECOND = `alter table parents add column added int not null default 7;`;

const FILL = `
create table events_1 partition of events for values from ('00000000-0000-0000-0000-000000000000') to ('80000000-0000-0000-0000-000000000000');
create table "events_ 2" partition of events for values from ('80000000-0000-0000-0000-000000000000') to ('ffffffff-ffff-ffff-ffff-ffffffffffff');
begin;
insert into parents (name, child_id, "odd ""Name") select 'parent ' || n || E'\\t\\\\\\n\\r\\\\.\\n\\u00fc', n, '{"a": [1.0, null, "\\\\u00e9"]}' from generate_series(1, 300) n;
insert into children (parent_id, body, at, share, tags)
  select n, decode(md5(n::text), 'hex') || '\\x00ff0a5c'::bytea, '2026-01-01'::timestamptz + n * interval '1.000001 s', 1.0 / n, array['a,b', null, '"', '\\'] from generate_series(1, 300) n;
commit;
insert into events select ('80000000-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::uuid, 1 + n % 300, repeat(md5(n::text), 2000) from generate_series(1, 60) n;
insert into events select ('00000000-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::uuid, 1 + n % 300, '' from generate_series(1, 60) n;
insert into caches values (1);
create table of_the_operator (id int);
select nextval('children_id_seq'), nextval('children_id_seq');`;

const newDatabase = () => createDatabase(`backup_${randomBytes(8).toString("hex")}`);
const older = makeMigrations(FIRST);
const newer = makeMigrations(FIRST, SECOND);
let source = "";
let key = "";
let leftOut: string[] = [];
let [file, plainFile] = ["", ""];
let count = 0;

const newFile = () => join(folder, `${(count += 1)}.backup`);

async function backUp(url: string, encryption: Encryption = PLAIN, to = newFile()) {
  const backup = await writeBackup({
    databaseUrl: url,
    file: to,
    version: "0.9.0",
    migrationsFolder: newer,
    secrets: SECRETS,
    encryption,
    progress: SILENT,
  });
  return { ...backup, file: to };
}

const stored: unknown[] = [];
const restore = (
  from: string,
  url: string,
  { migrationsFolder = older, ...more }: Partial<Parameters<typeof restoreBackup>[0]> = {},
) =>
  restoreBackup({
    file: from,
    unlock: { identities: [key] },
    progress: SILENT,
    databaseUrl: url,
    migrationsFolder,
    checkSecrets: () => undefined,
    storeSecrets: (secrets) => stored.push(secrets),
    ...more,
  });

const verify = (from: string, unlock: Unlock = { identities: [key] }) =>
  verifyBackup({ file: from, unlock, progress: SILENT });

beforeAll(async () => {
  source = await newDatabase();
  await migrateDatabase(source, older);
  await query(source, FILL);
  key = await generateX25519Identity();
  ({ file } = await backUp(source, { kind: "recipients", recipients: [await identityToRecipient(key)] }));
  ({ file: plainFile, leftOut } = await backUp(source));
});

describe("a backup", () => {
  test("restores every row, sequence, index, key and partition as it was", async () => {
    const url = await newDatabase();
    await restore(file, url);
    const again = await verify((await backUp(url)).file);
    const original = await verify(file);
    expect(again.end.tables).toEqual(original.end.tables);
    expect(again.end.sequences).toEqual(original.end.sequences);
    expect(original.end.tables["public.parents"]?.rows).toBe(300);
    expect(original.end.tables['public."events_ 2"']?.rows).toBe(60);
    expect(Object.keys(original.end.tables)).not.toContain("public.caches");
    expect(leftOut).toEqual(["public.of_the_operator"]);
    expect(stored.at(-1)).toEqual(SECRETS);
    const shape = `
      select conrelid::regclass::text as relation, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition, tgenabled::text as enabled
        from pg_constraint left join pg_trigger on tgrelid = conrelid and not tgisinternal where connamespace = 'public'::regnamespace
      union all select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid::text
        from pg_index join pg_class on oid = indrelid where relnamespace = 'public'::regnamespace
      order by 1, 2, 3`;
    expect(await query(url, shape)).toEqual(await query(source, shape));
    // The schema still works: the next identity, the generated column, the trigger, a deferred cycle.
    expect(
      await query(
        url,
        `begin; insert into parents (name, child_id) values ('new', 400) returning id::int, name, name_length;
        insert into children (id, parent_id) values (400, 301); commit; select nextval('children_id_seq')::int as next;`,
      ),
    ).toMatchObject({ 1: [{ id: 301, name: "new!", name_length: 4 }], 2: [{ next: 303 }] });
    await expect(query(url, "insert into children (parent_id) values (999)")).rejects.toMatchObject({ code: "23503" });
  });

  test("is readable only by its owner, appears when it is complete, and never replaces a file", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(readFileSync(file).includes("parent 1")).toBe(false);
    await expect(backUp(source, PLAIN, file)).rejects.toThrow("never replaces a file");
    await expect(backUp("postgres://nobody:x@127.0.0.1:1/none", PLAIN, join(folder, "none"))).rejects.toThrow();
    expect(existsSync(join(folder, "none"))).toBe(false);
  });

  test("of an earlier release is migrated to this one; of a newer one is refused before anything is changed", async () => {
    const url = await newDatabase();
    await restore(plainFile, url, { migrationsFolder: newer });
    expect(await query(url, "select count(*)::int as rows, min(added) as added from parents")).toEqual([
      { rows: 300, added: 7 },
    ]);
    const later = await backUp(url);
    const empty = await newDatabase();
    await expect(restore(later.file, empty)).rejects.toThrow("newer than this one: install that release");
    await expect(restore(plainFile, empty, { migrationsFolder: makeMigrations(SECOND) })).rejects.toThrow(
      "no release has",
    );
    expect(await query(empty, "select 1 from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
  });

  test("is of one instant, and does not block writes or the creation of partitions", async () => {
    const url = await newDatabase();
    await restore(plainFile, url);
    const concurrent = query(
      url,
      `do $$ begin for n in 1..200 loop
         insert into children (id, parent_id) values (1000 + n, 1); insert into parents (name, child_id) values ('c' || n, 1000 + n);
         commit; end loop; end $$`,
    );
    const made = await backUp(url);
    await concurrent;
    const copy = await newDatabase();
    await restore(made.file, copy);
    const [row] = await query(
      copy,
      "select (select count(*)::int from parents) - 300 as parents, (select count(*)::int from children) - 300 as children",
    );
    expect(row?.["parents"]).toBe(row?.["children"]);
  });
});

describe("restoring refuses", () => {
  test("an installation that is not empty, and leaves it unchanged", async () => {
    const url = await newDatabase();
    await query(url, "create table other (id int)");
    await expect(restore(file, url)).rejects.toThrow("not Imprint's, such as public.other");
    await expect(restore(file, source)).rejects.toThrow("not empty: public.children has rows");
    expect(await query(source, "select count(*)::int as rows from parents")).toEqual([{ rows: 300 }]);
  });

  test("a database in use by a service", async () => {
    const url = await newDatabase();
    const service = postgres(url, { max: 1, connection: { application_name: "imprint" } });
    await service`select 1`;
    await expect(restore(file, url)).rejects.toThrow("stop every process");
    await service.end({ timeout: 1 });
  });

  test("a wrong or missing passphrase or key", async () => {
    const made = await backUp(source, PASSPHRASE);
    await expect(verify(made.file, { passphrase: "another one" })).rejects.toThrow("BACKUP_PASSPHRASE does not open");
    await expect(verify(made.file, { identities: [key] })).rejects.toThrow("set BACKUP_PASSPHRASE");
    expect((await verify(made.file, PASSPHRASE)).end.tables["public.parents"]?.rows).toBe(300);
    const other = await generateX25519Identity();
    await expect(verify(file, { identities: [other] })).rejects.toThrow("No key of --identity");
    await expect(verify(file, PASSPHRASE)).rejects.toThrow("--identity FILE");
    expect((await verify(file, { identities: [other, key] })).end.tables["public.parents"]?.rows).toBe(300);
  });

  const altered = (from: string, change: (bytes: Buffer) => Buffer) => {
    const path = newFile();
    writeFileSync(path, change(Buffer.from(readFileSync(from))));
    return path;
  };

  test("a file that was truncated anywhere, and keeps none of it", async () => {
    const url = await newDatabase();
    const { length } = readFileSync(plainFile);
    await expect(
      restore(
        altered(plainFile, (bytes) => bytes.subarray(0, length - 100)),
        url,
      ),
    ).rejects.toThrow("not a complete Imprint backup");
    expect(await query(url, "select count(*)::int as rows from parents")).toEqual([{ rows: 0 }]);
    await restore(plainFile, url);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: length - 1 }), async (at) => {
        await expect(verify(altered(plainFile, (bytes) => bytes.subarray(0, at)))).rejects.toThrow(
          "not a complete Imprint backup",
        );
      }),
      { numRuns: 40 },
    );
  });

  test.each(["events", "public.parents: 300 rows"])("one interrupted at %s, and keeps none of it", async (moment) => {
    const url = await newDatabase();
    const stopping = new AbortController();
    const [secretsBefore, notes] = [stored.length, { committed: false }];
    const done = (line: string) => {
      if (line.includes(moment)) stopping.abort(new Error("interrupted"));
    };
    const interrupted = restore(plainFile, url, {
      progress: { ...SILENT, done },
      signal: stopping.signal,
      onCommitted: () => (notes.committed = true),
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    expect([stored.length, notes.committed]).toEqual([secretsBefore, false]);
    expect(await query(url, "select count(*)::int as rows from children")).toEqual([{ rows: 0 }]);
    await restore(plainFile, url, { onCommitted: () => (notes.committed = true) });
    expect(notes.committed).toBe(true);
  });

  test("a file in which any byte was changed, moved or added", async () => {
    const { length } = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const path = altered(file, (bytes) => {
          bytes[at] = (bytes[at] ?? 0) ^ mask;
          return bytes;
        });
        await expect(verify(path)).rejects.toMatchObject({ code: "invalid_request" });
      }),
      { numRuns: 60 },
    );
    const longer = altered(file, (bytes) => bytes);
    appendFileSync(longer, "x");
    await expect(verify(longer)).rejects.toThrow("not a complete Imprint backup");
  });

  test("a file that is not a backup", async () => {
    const path = newFile();
    for (const text of ["", "hello", "age-encryption.org/v1\n-> X25519 nonsense\n--- \n", "\0".repeat(4096)]) {
      writeFileSync(path, text);
      await expect(verify(path, { identities: ["AGE-SECRET-KEY-1"] })).rejects.toMatchObject({
        code: "invalid_request",
      });
    }
    await expect(verify(join(folder, "missing"))).rejects.toThrow("cannot be read");
    chmodSync(path, 0o600);
  });
});
