import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { createWriteBehind } from "@/lib/platform/write-behind";
import { addUses, type CountedUse } from "./queries-uses";

/** Different lines that are told apart per key and hour. */
const MAX_LINES_OF_HOUR = 200;
const LONGEST_AGENT = 120;

const uses = createWriteBehind<CountedUse>({
  name: "keyUses",
  mostWaiting: 5_000,
  async write(lines) {
    try {
      await addUses(database(), lines, MAX_LINES_OF_HOUR);
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, "uses of API keys were not noted");
    }
  },
});

type KeyUse = Omit<CountedUse, "calls" | "address"> & { address: string | undefined };

/** A received header as people may be shown it. */
const shownAgent = (agent: string): string => agent.slice(0, LONGEST_AGENT).replaceAll(/[^\x20-\x7e]/g, "?");

/**
 * Notes a call with a key, answered or refused, for the key's log. It is a log, not the ledger: what cannot be written
 * is dropped.
 */
export function noteKeyUse({ address = "", ...use }: KeyUse): void {
  const agent = shownAgent(use.agent);
  const name = `${use.keyId} ${address} ${use.operation} ${use.code} ${agent}`;
  const line = uses.find(name);
  if (line) {
    line.calls += 1;
    line.requestId = use.requestId;
  } else uses.add(name, { ...use, agent, address, calls: 1 });
}

/** Writes what this process noted. Never rejects. */
export const flushKeyUses = (): Promise<void> => uses.flush();
