import { randomUUID } from "node:crypto";

import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
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

const HOLDER = Symbol.for("imprint.usage");

/** The counts of this process, shared by its two module graphs. */
function state(): State {
  const holder = globalThis as { [HOLDER]?: State | undefined };
  const known = holder[HOLDER] ?? { counted: new Map(), waiting: [], timer: undefined, writing: undefined };
  holder[HOLDER] = known;
  return known;
}

const nameOf = ({ workspaceId, keyId, webAppId, operation, outcome }: Call) =>
  `${workspaceId} ${keyId ?? ""} ${webAppId ?? ""} ${operation} ${outcome}`;

export function addCall(call: Call): void {
  const { counted } = state();
  const name = nameOf(call);
  const line = counted.get(name);
  if (line) line.calls += 1;
  else counted.set(name, { calls: 1, ...call });
  if (counted.size >= MAX_LINES) void flushCalls();
  else schedule();
}

/** Number of unwritten lines of counted calls. */
export function waitingCalls(): number {
  const { counted, waiting } = state();
  return waiting.reduce((sum, { lines }) => sum + lines.length, counted.size);
}

function schedule(): void {
  const shared = state();
  shared.timer ??= setTimeout(() => {
    shared.timer = undefined;
    void flushCalls();
  }, FLUSH_MS).unref();
}

function takeBatch(shared: State): void {
  if (shared.counted.size > 0) {
    shared.waiting.push({ id: randomUUID(), lines: [...shared.counted.values()], takenAt: performance.now() });
    shared.counted.clear();
  }
  while (shared.waiting[0] && (shared.waiting.length > MAX_WAITING || isTooOld(shared.waiting[0]))) {
    const lost = shared.waiting.shift()?.lines.reduce((sum, { calls }) => sum + calls, 0);
    log.warn({ calls: lost }, "counted calls were dropped: the database was unavailable for too long");
  }
}

const isTooOld = ({ takenAt }: Batch) => performance.now() - takenAt > RETRY_MS;

async function writeWaiting(shared: State): Promise<void> {
  try {
    for (let batch = shared.waiting[0]; batch; batch = shared.waiting[0]) {
      await insertBatch(database(), batch);
      shared.waiting.shift();
    }
  } catch (error) {
    log.warn({ err: error }, "counted calls could not be written; retrying");
    schedule();
  }
}

/** Writes the calls counted by this process. Never rejects; a batch that could not be written is retried. */
export async function flushCalls(): Promise<void> {
  const shared = state();
  takeBatch(shared);
  while (shared.writing) await shared.writing;
  if (shared.waiting.length === 0) return;
  shared.writing = writeWaiting(shared).finally(() => {
    shared.writing = undefined;
  });
  await shared.writing;
}
