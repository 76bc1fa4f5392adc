import { sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { JOBS } from "@/lib/operations/jobs";
import { type RunningService, startService, TEST_SECRETS } from "../service";
import { primaryOf, workersOf } from "./processes";
import { isRunning } from "./service";

const ENDLESS_JOB = "purge-ended-oauth";
/** The job's batch size: it continues as long as it finds full batches. */
const ENDLESS_ROWS = 5_000;
/** Longer than a lease: a run whose end could not be recorded is taken over after it. */
const soon = { timeout: 100_000, interval: 50 };

const { db, pool, url: databaseUrl } = await createTestDatabase({ poolSize: 2 });

async function startPool(): Promise<RunningService> {
  const service = await startService({ databaseUrl, environment: { ...TEST_SECRETS, WORKERS: "2" } });
  onTestFinished(service.stop);
  return service;
}

beforeAll(async () => {
  // A run of a job is identified by its due time; a trigger in the database records who takes and ends it.
  await pool.unsafe(`
    create table job_notes (
      position int generated always as identity, name text, turn text, owner text, did text, pause_seconds float8);
    create function note_turn() returns trigger language plpgsql as $$ begin
      if new.lease_owner is distinct from old.lease_owner then
        insert into job_notes (name, turn, owner, did, pause_seconds) values (new.name, old.due_at,
          coalesce(new.lease_owner, old.lease_owner), case when new.lease_owner is null then 'ended' else 'took' end,
          extract(epoch from new.due_at - now()));
      end if;
      return null; end $$;
    create trigger note_turn after update on jobs for each row execute function note_turn();`);
  // Rows deleted by the job are inserted again.
  await pool.unsafe(`
    insert into oauth_records (model, record_id, payload, expires_at)
      select 'AccessToken', number::text, '{}', now() - interval '1 day' from generate_series(1, ${ENDLESS_ROWS}) number;
    create function put_back() returns trigger language plpgsql as $$ begin
      perform pg_sleep(0.5);
      insert into oauth_records select * from deleted;
      return null; end $$;
    create trigger put_back after delete on oauth_records referencing old table as deleted
      for each statement execute function put_back();`);
});

type Turn = { name: string; tookIt: number[]; endedIt: number[]; pauseSeconds: number[] };

/** Every run taken so far, with the processes that took and ended it. */
async function listTurns(): Promise<Turn[]> {
  const notes = await db.execute<{ name: string; turn: string; owner: string; did: string; pause: number }>(
    sql`select name, turn, owner, did, pause_seconds as pause from job_notes order by position`,
  );
  const turns = new Map<string, Turn>();
  for (const { name, turn, owner, did, pause } of notes) {
    const at = turns.get(name + turn) ?? { name, tookIt: [], endedIt: [], pauseSeconds: [] };
    turns.set(name + turn, at);
    const processId = Number(owner.split("/")[1]);
    if (did === "took") at.tookIt.push(processId);
    else {
      at.endedIt.push(processId);
      at.pauseSeconds.push(pause);
    }
  }
  return [...turns.values()];
}

const endlessTurns = async () => (await listTurns()).filter(({ name }) => name === ENDLESS_JOB);

/** Names of jobs without a finished run. */
async function listUnfinished(): Promise<string[]> {
  const turns = await listTurns();
  return JOBS.map(({ name }) => name).filter(
    (name) => !turns.some((turn) => turn.name === name && turn.endedIt.length > 0),
  );
}

test("with two worker pools each job runs once per period, and the run of a killed process is finished by the other pool", async () => {
  const first = await startPool();
  const dying = primaryOf(first);
  await expect.poll(endlessTurns, soon).toMatchObject([{ tookIt: [dying], endedIt: [] }]);

  const second = await startPool();
  const standby = primaryOf(second);
  await expect.poll(listUnfinished, soon).toEqual([ENDLESS_JOB]);
  expect(await endlessTurns()).toMatchObject([{ tookIt: [dying], endedIt: [] }]);

  const orphans = workersOf(first);
  process.kill(dying, "SIGKILL");
  await first.ended;
  await pool.unsafe("drop trigger put_back on oauth_records; delete from oauth_records");
  // Expires the dead process's lease.
  await db.execute(sql`update jobs set lease_until = now() where name = ${ENDLESS_JOB}`);
  await expect.poll(listUnfinished, soon).toEqual([]);
  await expect.poll(() => orphans.filter(isRunning), soon).toEqual([]);

  expect(await endlessTurns()).toMatchObject([{ tookIt: [dying, standby], endedIt: [standby] }]);
  for (const { name, ...turn } of await listTurns()) {
    expect([dying, standby]).toContain(turn.tookIt.at(-1));
    if (name !== ENDLESS_JOB) expect(turn.tookIt).toHaveLength(1);
    if (turn.endedIt.length === 0) continue; // a second run that has just started
    expect({ name, ended: turn.endedIt, pause: turn.pauseSeconds }).toEqual({
      name,
      ended: [turn.tookIt.at(-1)],
      pause: [JOBS.find((job) => job.name === name)?.everySeconds],
    });
  }
});
