import { ATTACKS, attemptsOf } from "./attacks.mjs";
import { replay } from "./send.mjs";

const SEED = 16;
const SIDE_BY_SIDE = 4;

/** Runs `work` for every item, some at a time, in the order of the items. */
async function forEach(items, work) {
  const waiting = [...items.entries()];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return results;
}

const count = (rows, status) => rows.filter((row) => row.status === status).length;

/**
 * Sends the captured visits again in every way, and counts the verdicts.
 *
 * @param {{ captures: object[], service: object, only: string, say: (line: string) => void }} options
 */
export async function runReplays({ captures, service, only, say }) {
  const replays = [];
  const failures = [];
  for (const attack of captures.length === 0 ? [] : ATTACKS.filter(({ id }) => id.includes(only))) {
    say(`${attack.id}: ${attack.count}`);
    try {
      replays.push(await runAttack(attack, captures, service));
    } catch (error) {
      failures.push({ id: attack.id, reason: error.message });
    }
  }
  return { replays, failures };
}

async function runAttack(attack, captures, service) {
  const reports = await forEach(attemptsOf(attack, captures, SEED), async (attempt) => {
    const { risk } = await service.reportOf(await replay(service, attempt));
    return { status: risk.status, reasons: risk.reasons };
  });
  return {
    id: attack.id,
    title: attack.title,
    visits: reports.length,
    pass: count(reports, "PASS"),
    suspicious: count(reports, "SUSPICIOUS"),
    deceptive: count(reports, "DECEPTIVE"),
    passMax: attack.passMax,
    reasons: [...new Set(reports.flatMap(({ reasons }) => reasons))],
  };
}

export const isReplay = (only) => ATTACKS.some(({ id }) => id.includes(only));
