import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { DAY_MS } from "@/lib/platform/calendar";
import { deleteMessagesBefore, deleteMessagesOfStream, eraseFormerSecrets } from "./queries";

/** How long messages are kept, sent or not. */
const KEPT_DAYS = 30;
const BATCH = 5_000;

type Purge = { now: Date; signal: AbortSignal; days: number | null };

/** Deletes messages older than `KEPT_DAYS`, or than the workspace's retention of visits if that is shorter. */
export async function purgeMessages(db: Db, workspaceId: string, { now, signal, days }: Purge): Promise<void> {
  const to = new Date(now.getTime() - Math.min(days ?? KEPT_DAYS, KEPT_DAYS) * DAY_MS);
  await inBatches(BATCH, (limit) => deleteMessagesBefore(db, { workspaceId, to, limit }), signal);
}

/** Erases previous signing secrets whose overlap has ended. */
export const purgeFormerSecrets = eraseFormerSecrets;

/** Deletes the messages about a device, sent or not. */
export const forgetDeviceMessages = (tx: Db, workspaceId: string, deviceId: string): Promise<void> =>
  deleteMessagesOfStream(tx, workspaceId, deviceId);
