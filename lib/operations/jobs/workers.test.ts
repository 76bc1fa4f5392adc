import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { type Job, runDueJob, startJobGroups, startWorkers } from "./index";
import { insertJobs, listJobRows } from "./queries";

const { db } = await createTestDatabase();
const never = new AbortController().signal;

let jobCount = 0;
async function createTestJob(run: Job["run"], everySeconds = 3600): Promise<Job> {
  jobCount += 1;
  const job = { name: `job-${jobCount}`, everySeconds, run };
  await insertJobs(db, [job.name]);
  return job;
}

const worker = (owner: string) => ({ owner, leaseSeconds: 60, signal: never });
const stateOf = async ({ name }: Job) => (await listJobRows(db, [name]))[0];
const makeDue = ({ name }: Job) => db.execute(sql`update jobs set due_at = now() where name = ${name}`);

test("only one of many workers runs a due job, which is then no longer due", async () => {
  let runs = 0;
  const job = await createTestJob(() => {
    runs += 1;
    return Promise.resolve();
  });
  const names = await Promise.all(Array.from({ length: 8 }, (_, index) => runDueJob(db, [job], worker(`w${index}`))));
  expect(names.filter((name) => name === job.name)).toHaveLength(1);
  expect(runs).toBe(1);
  expect(await runDueJob(db, [job], worker("later"))).toBeUndefined();
  const state = await stateOf(job);
  expect(state).toMatchObject({ lastError: "", isRunning: false });
  expect(state?.overdueSeconds).toBeLessThan(-3500);
});

test("a job that was released while the clock was ahead runs once the clock is set back, and then at its interval again", async () => {
  const job = await createTestJob(() => Promise.resolve());
  await db.execute(sql`update jobs set due_at = now() + interval '1 day' where name = ${job.name}`);
  expect(await runDueJob(db, [job], worker("first"))).toBe(job.name);
  expect(await runDueJob(db, [job], worker("second"))).toBeUndefined();
});

test("a job whose worker died while the clock was ahead is taken over once the clock is set back", async () => {
  const job = await createTestJob(() => Promise.resolve());
  const lease = (ahead: string) =>
    db.execute(sql`
    update jobs set lease_owner = 'dead', lease_until = now() + ${ahead}::interval where name = ${job.name}`);
  await lease("60 s");
  expect(await runDueJob(db, [job], worker("first"))).toBeUndefined();
  await lease("1 day");
  expect(await runDueJob(db, [job], worker("first"))).toBe(job.name);
});

test("a claim that began before a job was released does not run it again", async () => {
  const job = await createTestJob(() => Promise.resolve());
  await db.execute(sql`
    update jobs set due_at = now() + ${job.everySeconds} * interval '1 second' + interval '2 seconds' where name = ${job.name}`);
  expect(await runDueJob(db, [job], worker("began before"))).toBeUndefined();
});

test("a running job is not taken by another worker, even if it is due", async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const job = await createTestJob(() => finished);
  const running = runDueJob(db, [job], worker("first"));
  await vi.waitFor(async () => {
    expect(await stateOf(job)).toMatchObject({ isRunning: true });
  });
  expect(await runDueJob(db, [job], worker("second"))).toBeUndefined();
  finish();
  expect(await running).toBe(job.name);
});

test("a dead worker's job is taken over when its lease expires, and the dead worker can no longer complete it", async () => {
  const job = await createTestJob(async ({ saveProgress }) => {
    await saveProgress("half");
    await db.execute(sql`update jobs set lease_until = now() - interval '1 second' where name = ${job.name}`);
    const second: Job = {
      ...job,
      run({ progress }) {
        expect(progress).toBe("half");
        return Promise.resolve();
      },
    };
    expect(await runDueJob(db, [second], worker("second"))).toBe(job.name);
    await makeDue(job);
    throw new Error("came back from the dead");
  });
  await runDueJob(db, [job], worker("first"));
  expect(await stateOf(job)).toMatchObject({ lastError: "" });
});

test("a failure is recorded by name without its message, and the job is retried soon", async () => {
  const job = await createTestJob(() => Promise.reject(new RangeError("secret svc_live_x")));
  await runDueJob(db, [job], worker("first"));
  const state = await stateOf(job);
  expect(state).toMatchObject({ lastError: "RangeError", isRunning: false, lastSucceededAt: null });
  expect(state?.overdueSeconds).toBeGreaterThan(-61);
});

test("workers run due jobs until stopped, and stopping waits for the running job", async () => {
  const events: string[] = [];
  const job = await createTestJob(async ({ signal }) => {
    events.push("started");
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
    });
    events.push("ended");
  });
  const workers = startWorkers(db, [job], { pollSeconds: 0.02 });
  await vi.waitFor(() => {
    expect(events).toEqual(["started"]);
  });
  await workers.stop();
  expect(events).toEqual(["started", "ended"]);
  expect(await stateOf(job)).toMatchObject({ isRunning: false });
});

test("stopping waits only up to a limit for a job that does not end", async () => {
  const job = await createTestJob(() => new Promise(() => undefined));
  const workers = startWorkers(db, [job], { pollSeconds: 0.02, stopWithinSeconds: 0.05 });
  await vi.waitFor(async () => {
    expect(await stateOf(job)).toMatchObject({ isRunning: true });
  });
  await workers.stop();
  expect(await stateOf(job)).toMatchObject({ isRunning: true });
});

test("a job that does not end blocks the jobs of its group, and no others", async () => {
  const ran: string[] = [];
  const note = (name: string) => () => Promise.resolve(ran.push(name));
  const hanging = await createTestJob(
    ({ signal }) =>
      new Promise((resolve) => {
        ran.push("hanging");
        signal.addEventListener("abort", resolve);
      }),
  );
  await db.execute(sql`update jobs set due_at = now() - interval '1 minute' where name = ${hanging.name}`);
  const behind = await createTestJob(note("behind"));
  const beside = await createTestJob(note("beside"));
  const groups = startJobGroups(db, { one: [hanging, behind], other: [beside], none: [] }, { pollSeconds: 0.02 });
  await vi.waitFor(() => {
    expect(ran.toSorted()).toEqual(["beside", "hanging"]);
  });
  await makeDue(beside);
  await vi.waitFor(() => {
    expect(ran.toSorted()).toEqual(["beside", "beside", "hanging"]);
  });
  expect(groups.map(({ group }) => group)).toEqual(["one", "other"]);
  await Promise.all(groups.map(({ stop }) => stop()));
});
