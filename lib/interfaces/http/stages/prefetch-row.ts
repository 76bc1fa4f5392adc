import type { Db } from "@/db/client";
import { readRow, type RowQuery } from "@/db/prepared";
import type { Operation } from "@/lib/contract/operation";
import { originQuery, type SignedVisitor } from "@/lib/visits/submissions";

type Row = Readonly<Record<string, unknown>>;
type Permit = { take: (db: Db, query: RowQuery | undefined) => Promise<Row | undefined> };

/** The default prefetch of an operation that browsers call: the caller's environment. */
export const ownQuery = (
  { security }: Pick<Operation, "security">,
  json: unknown,
  visitor: SignedVisitor | undefined,
): RowQuery | undefined => (security === "origin" ? originQuery(json, visitor?.keyId) : undefined);

/** What an operation prepares before its caller is known, and the query for it. */
type Plan<P> = { prefetch: P | undefined; query: RowQuery | undefined };

/**
 * Takes the permit and prefetches the planned row, in a single round trip if taking the permit needs one. If this
 * process has not seen the caller's environment before, the first round trip only identifies it, and a second one reads
 * the planned row; `learn` returns whether that happened.
 */
export async function prefetchRow<P>(
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
