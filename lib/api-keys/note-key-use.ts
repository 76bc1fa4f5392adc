import { database } from "@/db/client";
import { log } from "@/lib/log";
import { addUses, type CountedUse } from "./queries-uses";

const FLUSH_MS = 1_000;
/** Different lines that are told apart per key and hour. */
const MOST_LINES_OF_HOUR = 200;
/** Different lines that wait in this process; further ones are dropped until they are written. */
const MOST_WAITING = 5_000;
const LONGEST_AGENT = 120;

type State = {
  counted: Map<string, CountedUse>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
};

const HOLDER = Symbol.for("imprint.keyUses");

/** The uses that this process has counted, shared by its two module graphs. */
function state(): State {
  const holder = globalThis as { [HOLDER]?: State | undefined };
  return (holder[HOLDER] ??= { counted: new Map(), timer: undefined, writing: undefined });
}

type KeyUse = Omit<CountedUse, "calls" | "address"> & { address: string | undefined };

/** A received header as people may be shown it. */
const shownAgent = (agent: string): string => agent.slice(0, LONGEST_AGENT).replaceAll(/[^\x20-\x7e]/g, "?");

/**
 * Notes a call with a key, answered or refused, for the key's log. Returns at once: this process writes about once a
 * second. It is a log, not the ledger: what cannot be written is dropped.
 */
export function noteKeyUse({ address = "", ...use }: KeyUse): void {
  const shared = state();
  const agent = shownAgent(use.agent);
  const name = `${use.keyId} ${address} ${use.operation} ${use.code} ${agent}`;
  const line = shared.counted.get(name);
  if (line) {
    line.calls += 1;
    line.requestId = use.requestId;
  } else if (shared.counted.size < MOST_WAITING) shared.counted.set(name, { ...use, agent, address, calls: 1 });
  shared.timer ??= setTimeout(() => {
    shared.timer = undefined;
    void flushKeyUses();
  }, FLUSH_MS).unref();
}

async function writeUses(uses: readonly CountedUse[]): Promise<void> {
  try {
    await addUses(database(), uses, MOST_LINES_OF_HOUR);
  } catch (error) {
    log.warn({ err: error, lines: uses.length }, "uses of API keys were not noted");
  }
}

/** Writes what this process noted. Never rejects. */
export async function flushKeyUses(): Promise<void> {
  const shared = state();
  while (shared.writing) await shared.writing;
  if (shared.counted.size === 0) return;
  const uses = [...shared.counted.values()];
  shared.counted.clear();
  shared.writing = writeUses(uses).finally(() => {
    shared.writing = undefined;
  });
  await shared.writing;
}
