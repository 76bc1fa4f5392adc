import { asc, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { jobs } from "@/db/schema";

const secondsFromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** Inserts new jobs, due immediately. */
export async function insertJobs(db: Db, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .insert(jobs)
    .values(names.map((name) => ({ name, dueAt: sql`now()` })))
    .onConflictDoNothing();
}

const nameList = (names: string[]) =>
  sql`array[${sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  )}]::text[]`;

type Known = { name: string; everySeconds: number };

/** A claim that began before a job was released sees its due time a moment further away than its interval. */
const SET_BACK_SECONDS = 60;

/**
 * Leases the job that has been due longest, if any. A job whose due time is further away than its interval was released
 * before the database's clock was set back, and counts as due; a lease that ends later than a new one has ended.
 */
export async function claimDueJob(db: Db, known: readonly Known[], owner: string, leaseSeconds: number) {
  const intervals = sql.join(
    known.map(({ name, everySeconds }) => sql`(${name}::text, ${everySeconds}::int)`),
    sql`, `,
  );
  const [row] = await db
    .update(jobs)
    .set({ leaseOwner: owner, leaseUntil: secondsFromNow(leaseSeconds) })
    .where(
      sql`${jobs.name} = (
        select name from ${jobs} join (values ${intervals}) known (name, every_seconds) using (name)
        where (due_at <= now() or due_at > now() + make_interval(secs => every_seconds + ${SET_BACK_SECONDS}))
          and (lease_until is null or lease_until <= now()
            or lease_until > now() + make_interval(secs => ${leaseSeconds + SET_BACK_SECONDS}))
        order by due_at limit 1 for update of ${jobs} skip locked)`,
    )
    .returning({ name: jobs.name, progress: jobs.progress });
  return row;
}

const heldBy = (name: string, owner: string) => sql`${jobs.name} = ${name} and ${jobs.leaseOwner} = ${owner}`;

/** Extends the lease; false if another owner has it. */
export async function renewLease(db: Db, name: string, owner: string, leaseSeconds: number): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ leaseUntil: secondsFromNow(leaseSeconds) })
    .where(heldBy(name, owner))
    .returning({ name: jobs.name });
  return rows.length > 0;
}

export async function saveProgress(db: Db, name: string, owner: string, progress: string): Promise<void> {
  await db.update(jobs).set({ progress }).where(heldBy(name, owner));
}

/** Releases the lease; `failure` is empty after a success. */
export async function releaseJob(
  db: Db,
  name: string,
  owner: string,
  { dueInSeconds, failure }: { dueInSeconds: number; failure: string },
): Promise<void> {
  await db
    .update(jobs)
    .set({
      leaseOwner: null,
      leaseUntil: null,
      dueAt: secondsFromNow(dueInSeconds),
      lastError: failure,
      ...(failure === "" ? { lastSucceededAt: sql`now()` } : {}),
    })
    .where(heldBy(name, owner));
}

/**
 * Lists the jobs of these names that have run or are due, with the seconds by which each is overdue; negative if not
 * yet due.
 */
export function listJobRows(db: Db, names: string[]) {
  return db
    .select({
      name: jobs.name,
      lastSucceededAt: jobs.lastSucceededAt,
      lastError: jobs.lastError,
      overdueSeconds: sql<number>`extract(epoch from now() - ${jobs.dueAt})::float8`,
      isRunning: sql<boolean>`coalesce(${jobs.leaseUntil} > now(), false)`,
    })
    .from(jobs)
    .where(sql`${jobs.name} = any (${nameList(names)})`)
    .orderBy(asc(jobs.name));
}
