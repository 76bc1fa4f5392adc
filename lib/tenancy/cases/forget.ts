import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { uuidToId } from "@/lib/contract/ids";
import { DAY_MS } from "@/lib/platform/calendar";
import { anyWord } from "./domain/case";
import {
  type Forgotten,
  forgetAddressesBefore,
  forgetDeviceItems,
  forgetValue,
  forgetVisitsBefore,
  redactTexts,
} from "./queries-forget";

const BATCH = 200;

/** Replaces erased words in all free text of a workspace's cases. */
async function redact(tx: Db, workspaceId: string, words: readonly string[]): Promise<void> {
  for (let from = 0; from < words.length; from += BATCH) {
    const pattern = anyWord(words.slice(from, from + BATCH));
    if (pattern !== undefined) await redactTexts(tx, workspaceId, pattern);
  }
}

/** Erases a device and its visits from all cases: items, their history entries, and their ids in free text. */
export async function forgetDeviceInCases(tx: Db, workspaceId: string, deviceId: string): Promise<void> {
  const { values } = await forgetDeviceItems(tx, workspaceId, deviceId);
  await redact(tx, workspaceId, [...new Set([deviceId, ...values])]);
}

/** Erases an account from all cases, including its reference in free text. */
export async function forgetAccountInCases(
  tx: Db,
  workspaceId: string,
  { accountId, accountRef }: { accountId: string; accountRef: string },
): Promise<void> {
  await forgetValue(tx, workspaceId, "account", accountId);
  await redact(tx, workspaceId, [accountId, accountRef]);
}

/** Erases expired visits from a workspace's cases, and IP addresses that were added that long ago. */
export async function forgetOldInCases(
  db: Db,
  workspaceId: string,
  { now, days, signal }: { now: Date; days: number; signal: AbortSignal },
): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS);
  const firstImprint = uuidToId("imprint", eventIdFloor(before));
  const forget = (work: (tx: Db, limit: number) => Promise<Forgotten>) =>
    inBatches(
      BATCH,
      (limit) =>
        db.transaction(async (tx) => {
          const { values, rows } = await work(tx, limit);
          await redact(tx, workspaceId, values);
          return rows;
        }),
      signal,
    );
  await forget((tx, limit) => forgetVisitsBefore(tx, workspaceId, firstImprint, limit));
  await forget((tx, limit) => forgetAddressesBefore(tx, workspaceId, before, limit));
}
