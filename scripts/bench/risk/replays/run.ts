import { progress } from "../../../common/command";
import type { Capture } from "../capture-proxy";
import type { VisitedService } from "../service";
import type { Failure } from "../visits";
import { type Attack, ATTACKS, attemptsOf } from "./attacks";
import { replay } from "./send";
import { inParallel } from "../../../common/in-parallel";

const SEED = 16;
const CONCURRENCY = 4;

export type Replay = Awaited<ReturnType<typeof runAttack>>;

async function runAttack({ id, title, passMax, ...attack }: Attack, captures: Captures, service: VisitedService) {
  const risks = await inParallel(CONCURRENCY, attemptsOf(attack, captures, SEED), async (attempt) => {
    const { risk } = await service.reportOf(await replay(service, attempt));
    return risk;
  });
  const count = (status: string) => risks.filter((risk) => risk.status === status).length;
  return {
    id,
    title,
    visits: risks.length,
    pass: count("PASS"),
    suspicious: count("SUSPICIOUS"),
    deceptive: count("DECEPTIVE"),
    passMax,
    reasons: [...new Set(risks.flatMap(({ reasons }) => reasons))],
  };
}

type Captures = readonly Capture[];

/** Replays the captured visits with every attack and counts the verdicts. */
export async function runReplays(captures: Captures, service: VisitedService, only: string) {
  const [replays, failures]: [Replay[], Failure[]] = [[], []];
  for (const attack of captures.length === 0 ? [] : ATTACKS.filter(({ id }) => id.includes(only))) {
    progress(`${attack.id}: ${attack.count}`);
    try {
      replays.push(await runAttack(attack, captures, service));
    } catch (error) {
      failures.push({ id: attack.id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { replays, failures };
}

export const isReplay = (only: string): boolean => ATTACKS.some(({ id }) => id.includes(only));
