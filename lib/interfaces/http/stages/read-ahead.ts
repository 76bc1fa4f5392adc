import type { Db } from "@/db/client";
import { readRow, type RowQuery } from "@/db/prepared";
import type { Operation } from "@/lib/contract/operation";
import { originQuery, type SignedVisitor } from "@/lib/visits/submissions";

type Row = Readonly<Record<string, unknown>>;
type Permit = { take: (db: Db, query: RowQuery | undefined) => Promise<Row | undefined> };

/** What is read of the caller of an operation that browsers call, where the operation itself reads nothing ahead. */
export const ownQuery = (
  { security }: Pick<Operation, "security">,
  json: unknown,
  visitor: SignedVisitor | undefined,
): RowQuery | undefined => (security === "origin" ? originQuery(json, visitor?.keyId) : undefined);

/** What an operation prepares before its caller is known, and what is read for it. */
type Plan<P> = { prefetch: P | undefined; query: RowQuery | undefined };

/**
 * Takes the permit and reads what the operation plans to know of its caller: in one round trip where the permit makes one.
 * Where this process has not met the caller's environment, the first round trip says whose it is, and a second one reads
 * what was planned; `learn` tells whether it did.
 */
export async function readAhead<P>(
  db: Db,
  permit: Permit,
  plan: () => Plan<P>,
  learn: (row: Row) => boolean,
): Promise<{ prefetch: P | undefined; row: Row | undefined }> {
  const first = plan();
  const taken = await permit.take(db, first.query);
  const row = taken ?? (first.query && (await readRow(db, first.query)));
  if (!row || !learn(row)) return { prefetch: first.prefetch, row };
  const { prefetch, query } = plan();
  return { prefetch, row: query && (await readRow(db, query)) };
}
