import { randomUUID } from "node:crypto";

import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { sharedValue } from "@/lib/platform/shared-state";
import type { Call, CountedCall } from "./call";
import { insertBatch } from "./queries";

type Batch = { id: string; lines: CountedCall[]; takenAt: number };

const FLUSH_MS = 1_000;
/**
 * How long to retry a batch that could not be written. Shorter than the age at which batches are folded, so that a
 * repeated write still conflicts with its own row.
 */
const RETRY_MS = 4 * 60_000;
const MAX_LINES = 5_000;
const MAX_WAITING = 300;

type State = {
  counted: Map<string, CountedCall>;
  waiting: Batch[];
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
};

/** The counts of this process. */
const state = sharedValue("usage", (): State => ({
  counted: new Map(),
  waiting: [],
  timer: undefined,
  writing: undefined,
}));

const nameOf = ({ workspaceId, keyId, webAppId, operation, outcome }: Call) =>
  `${workspaceId} ${keyId ?? ""} ${webAppId ?? ""} ${operation} ${outcome}`;

export function addCall(call: Call): void {
  const { counted } = state;
  const name = nameOf(call);
  const line = counted.get(name);
  if (line) line.calls += 1;
  else counted.set(name, { calls: 1, ...call });
  if (counted.size >= MAX_LINES) void flushCalls();
  else schedule();
}

/** Number of unwritten lines of counted calls. */
export function waitingCalls(): number {
  const { counted, waiting } = state;
  return waiting.reduce((sum, { lines }) => sum + lines.length, counted.size);
}

function schedule(): void {
  state.timer ??= setTimeout(() => {
    state.timer = undefined;
    void flushCalls();
  }, FLUSH_MS).unref();
}

function takeBatch(): void {
  if (state.counted.size > 0) {
    state.waiting.push({ id: randomUUID(), lines: [...state.counted.values()], takenAt: performance.now() });
    state.counted.clear();
  }
  while (state.waiting[0] && (state.waiting.length > MAX_WAITING || isTooOld(state.waiting[0]))) {
    const lost = state.waiting.shift()?.lines.reduce((sum, { calls }) => sum + calls, 0);
    log.warn({ calls: lost }, "counted calls were dropped: the database was unavailable for too long");
  }
}

const isTooOld = ({ takenAt }: Batch) => performance.now() - takenAt > RETRY_MS;

async function writeWaiting(): Promise<void> {
  try {
    for (let batch = state.waiting[0]; batch; batch = state.waiting[0]) {
      await insertBatch(database(), batch);
      state.waiting.shift();
    }
  } catch (error) {
    log.warn({ err: error }, "counted calls could not be written; retrying");
    schedule();
  }
}

/** Writes the calls counted by this process. Never rejects; a batch that could not be written is retried. */
export async function flushCalls(): Promise<void> {
  takeBatch();
  while (state.writing) await state.writing;
  if (state.waiting.length === 0) return;
  state.writing = writeWaiting().finally(() => {
    state.writing = undefined;
  });
  await state.writing;
}
