import { type Bug, runSchedule } from "./schedule";

export type Summary = {
  schedules: number;
  steps: number;
  crashes: number;
  paid: number;
  changes: string[];
  /** The first few failures. */
  violations: { seed: number; violation: string }[];
};

const MAX_VIOLATIONS = 10;

type Options = { firstSeed: number; schedules: number; onProgress?: (done: number) => void };

/** Runs the seeds from `firstSeed` on. */
export function simulate({ firstSeed, schedules, onProgress }: Options): Summary {
  const summary: Summary = { schedules, steps: 0, crashes: 0, paid: 0, changes: [], violations: [] };
  const changes = new Set<string>();
  for (let done = 0; done < schedules; done += 1) {
    const seed = firstSeed + done;
    const result = runSchedule(seed);
    summary.steps += result.steps;
    summary.crashes += result.crashes;
    summary.paid += result.paid;
    for (const change of result.changes) changes.add(change);
    if (result.violation !== undefined) {
      summary.violations.push({ seed, violation: result.violation });
      if (summary.violations.length === MAX_VIOLATIONS) break;
    }
    if (done % 5_000 === 0) onProgress?.(done);
  }
  summary.changes = [...changes].sort();
  return summary;
}

/** The first seed, starting at 1, at which a bug violates an invariant. */
export function findViolation(bug: Bug, schedules: number): { seed: number; violation: string } | undefined {
  for (let seed = 1; seed <= schedules; seed += 1) {
    const { violation } = runSchedule(seed, bug);
    if (violation !== undefined) return { seed, violation };
  }
  return undefined;
}
