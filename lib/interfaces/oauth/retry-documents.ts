import type { Db } from "@/db/client";
import { guardedFetch } from "@/lib/platform/guarded-fetch";
import { retryDocuments } from "./client-documents";

const TIMEOUT_MS = 5_000;

/** Tries, in the background, whether client documents can be reached again after a failure. */
export const retryClientDocuments = (db: Db): Promise<void> =>
  retryDocuments(db, (url, options) =>
    guardedFetch(url instanceof Request ? url.url : url.toString(), {
      ...options,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }),
  );
