import { currentRules, replayRules } from "@/lib/visits/rules";
import { operatorContext } from "@/test/workspaces";
import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { printOutcome, textTable } from "../../common/report";
import { openPlace, type Place, putVisits } from "../storage/place";

const MIN_PER_SECOND = 5_000;
const DAY_MS = 86_400_000;

const CANDIDATES = [currentRules, { name: "a rule observed", settings: { observed: ["version.features"] } }];

type Round = { candidate: string; visits: number; perSecond: number; processorMicros: number; different: number };

/** One replay; the database runs concurrently on another CPU core. */
async function replayOnce(place: Place, candidate: (typeof CANDIDATES)[number]): Promise<Round> {
  const now = Date.now();
  const before = process.cpuUsage();
  const replay = await replayRules(operatorContext(place.db), {
    workspaceId: place.workspaceId,
    from: new Date(now - DAY_MS),
    to: new Date(now + DAY_MS),
    candidate,
  });
  const { user, system } = process.cpuUsage(before);
  return {
    candidate: candidate.name,
    visits: replay.visits,
    perSecond: Math.round(replay.visits / replay.seconds),
    processorMicros: Math.round((user + system) / replay.visits),
    different: replay.sameVersion.different,
  };
}

const missesOf = (rounds: readonly Round[], visits: number) =>
  rounds.flatMap(({ candidate, perSecond, different, visits: replayed }) => [
    ...(perSecond < MIN_PER_SECOND ? [`${candidate}: ${perSecond} visits per second, below ${MIN_PER_SECOND}`] : []),
    ...(different > 0 ? [`${candidate}: ${different} verdicts of this version changed`] : []),
    ...(replayed === visits ? [] : [`${candidate}: ${replayed} of ${visits} visits were replayed`]),
  ]);

await runCommand({
  name: "bench:replay",
  about:
    "Measures how many stored visits per second the rules can be replayed on (admin -- rules replay). Realistic submissions are stored through the service on an embedded server, then replayed with the current rules, and with one rule in observe mode.",
  options: {
    visits: { type: "number", default: 20_000, about: "number of stored visits" },
    rounds: { type: "number", default: 3, about: "replays of each kind" },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const { visits, rounds: count, seed } = values;
    const place = await openPlace(cleanUp, seed);
    progress(`Storing ${visits} visits`);
    await putVisits(place, visits);
    const rounds: Round[] = [];
    for (let round = 1; round <= count; round += 1)
      for (const candidate of CANDIDATES) {
        progress(`Round ${round} of ${count}: ${candidate.name}`);
        rounds.push(await replayOnce(place, candidate));
      }
    return printOutcome(values, {
      result: { visits, rounds },
      misses: missesOf(rounds, visits),
      lines: () =>
        textTable(
          ["rules", "visits/s", "CPU us per visit", "changed verdicts"],
          rounds.map(({ candidate, perSecond, processorMicros, different }) => [
            candidate,
            perSecond,
            processorMicros,
            different,
          ]),
        ),
    });
  },
});
