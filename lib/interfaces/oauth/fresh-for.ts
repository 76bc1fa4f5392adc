import { type Database, database } from "@/db/client";

/** Caches what `read` returns for `freshMs`; returns the last value while the database is unavailable. */
export function freshFor<T>(freshMs: number, read: (db: Database) => Promise<T>) {
  let known: { db: Database; value: T; readAt: number } | undefined;
  async function current(): Promise<T> {
    const db = database();
    const last = known?.db === db ? known : undefined;
    const readAt = performance.now();
    if (last && readAt - last.readAt < freshMs) return last.value;
    try {
      const value = await read(db);
      known = { db, value, readAt };
      return value;
    } catch (error) {
      if (last) return last.value;
      throw error;
    }
  }
  const invalidate = () => {
    known = undefined;
  };
  return { current, invalidate };
}
