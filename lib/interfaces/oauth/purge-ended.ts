import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { deleteUnusedDocuments } from "./queries-documents";
import { deleteEndedRecords } from "./queries-records";

const BATCH = 5_000;
/** The same as for a registration that was never allowed anything. */
const UNUSED_DOCUMENT_DAYS = 7;

/** Deletes expired tokens, requests, grants, unused registrations and documents of clients. */
export async function purgeEndedOauth(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(BATCH, (limit) => deleteEndedRecords(db, limit), signal);
  await inBatches(BATCH, (limit) => deleteUnusedDocuments(db, UNUSED_DOCUMENT_DAYS, limit), signal);
}
