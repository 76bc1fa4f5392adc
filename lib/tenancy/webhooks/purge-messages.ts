import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { deleteMessagesBefore, deleteMessagesOfStream, eraseFormerSecrets } from "./queries";

/** For how long messages are kept, sent or not. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
const BATCH = 5_000;

type Purge = { now: Date; signal: AbortSignal; days: number | null };

/** Deletes messages that are older than they are kept, or than the workspace keeps its visits. */
export async function purgeMessages(db: Db, workspaceId: string, { now, signal, days }: Purge): Promise<void> {
  const to = new Date(now.getTime() - Math.min(days ?? KEPT_DAYS, KEPT_DAYS) * DAY_MS);
  await inBatches(BATCH, (limit) => deleteMessagesBefore(db, { workspaceId, to, limit }), signal);
}

/** Forgets former signing secrets whose overlap has ended. */
export const purgeFormerSecrets = eraseFormerSecrets;

/** Deletes what was to be told, or was told, of a device. */
export const forgetDeviceMessages = (tx: Db, workspaceId: string, deviceId: string): Promise<void> =>
  deleteMessagesOfStream(tx, workspaceId, deviceId);
