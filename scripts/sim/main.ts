import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../common/command";
import { printOutcome, textTable } from "../common/report";
import { BUGS } from "./bugs";
import { findViolation, simulate } from "./simulate";

const FIGURES = { schedules: 50_000, bugs: 12, schedulesPerBug: 10_000 };

/** The first seed at which each seeded bug violates an invariant. */
const findBugs = () =>
  Object.entries(BUGS).map(([name, bug]) => {
    progress(`Looking for: ${name}`);
    const found = findViolation(bug, FIGURES.schedulesPerBug);
    return { name, seed: found?.seed ?? null, violation: found?.violation ?? null };
  });

await runCommand({
  name: "sim",
  about:
    "Runs purchases through schedules of faults on the product's own state machine. Each schedule is one seed: two purchases on one chain, with clients that pay twice or replay, unclear settlements, dead processes, power failures, clock jumps and revocations. Seeded bugs verify that the simulation detects such faults. See docs/agent-trial.md.",
  options: {
    schedules: { type: "number", default: FIGURES.schedules, about: "number of schedules to run" },
    seed: { ...SEED_OPTION, about: "seed of the first schedule" },
    "no-bugs": { type: "boolean", about: "skip the seeded bugs" },
    json: JSON_OPTION,
    check: {
      ...CHECK_OPTION,
      about: `also exit with 1 if a bug was missed or fewer than ${FIGURES.schedules} schedules ran`,
    },
  },
  run(values) {
    const { schedules, seed: firstSeed } = values;
    const startedAt = performance.now();
    const onProgress = (done: number) => {
      progress(`${done} of ${schedules} schedules`);
    };
    const summary = simulate({ firstSeed, schedules, onProgress });
    const seconds = (performance.now() - startedAt) / 1000;
    const bugs = values["no-bugs"] ? [] : findBugs();
    return printOutcome(values, {
      isBroken: summary.violations.length > 0,
      result: { firstSeed, seconds, ...summary, bugs },
      misses: [
        ...summary.violations.map(({ seed, violation }) => `seed ${seed}: ${violation}`),
        ...bugs.filter(({ seed }) => seed === null).map(({ name }) => `not found: ${name}`),
        ...(schedules < FIGURES.schedules ? [`${schedules} schedules, below ${FIGURES.schedules}`] : []),
        ...(bugs.length < FIGURES.bugs ? [`${bugs.length} bugs looked for, below ${FIGURES.bugs}`] : []),
      ],
      lines: () => [
        ...textTable(
          ["Schedules", `${schedules} from seed ${firstSeed} in ${seconds.toFixed(1)} s`],
          [
            ["Steps", summary.steps],
            ["Processes killed", summary.crashes],
            ["Payments made", summary.paid],
            ["Status changes seen", summary.changes.length],
            ["Promises broken", summary.violations.length],
          ],
        ),
        ...bugs.map(({ name, seed, violation }) =>
          seed === null
            ? `  MISSED ${name}`
            : `  ${`found at seed ${seed}`.padEnd(20)} ${name}${violation === null ? "" : `: ${violation}`}`,
        ),
      ],
    });
  },
});
