import { isDatabaseUnavailable } from "@/db/client";
import { failureCode } from "@/db/failures";
import { failureText } from "@/lib/platform/failure-text";
import { type CheckResult, fail } from "./domain/check-result";

/** Longer than a statement's time limit, and than a mail server or an identity provider is waited for. */
const DEADLINE_MS = 11_000;

type Results = CheckResult | CheckResult[];

/** A check, with the name under which its failure is reported. */
export type NamedCheck = readonly [name: string, check: () => Promise<Results> | Results];

function failed(name: string, error: unknown): CheckResult {
  if (isDatabaseUnavailable(error)) {
    const text = `This could not be checked: the database did not answer (${failureText(error) ?? "no reason given"}).`;
    return fail(name, text, "Start the database, or see DATABASE_URL.");
  }
  const text = `This could not be checked (${failureCode(error) ?? "unexpected failure"}).`;
  return fail(name, text, "See the fact about the schema; LOG_LEVEL=debug logs more.");
}

const LATE = Symbol("late");

async function run([name, check]: NamedCheck, deadlineMs: number): Promise<CheckResult[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => (timer = setTimeout(resolve, deadlineMs, LATE)));
  try {
    const found = await Promise.race([Promise.resolve().then(check), late]);
    if (found !== LATE) return Array.isArray(found) ? found : [found];
    const text = `This could not be checked within ${deadlineMs / 1000} s.`;
    return [fail(name, text, "The service that it checks hangs or is overloaded.")];
  } catch (error) {
    return [failed(name, error)];
  } finally {
    clearTimeout(timer);
  }
}

/** Told after each check: the share of the checks that are done, and its name. */
export type OnChecked = (share: number, name: string) => void;

/** Runs all checks concurrently. One that fails or hangs becomes a result and does not affect the others. */
export async function runChecks(
  checks: readonly NamedCheck[],
  { deadlineMs = DEADLINE_MS, onChecked = () => undefined }: { deadlineMs?: number; onChecked?: OnChecked } = {},
): Promise<CheckResult[]> {
  let done = 0;
  const running = checks.map(async (check) => {
    const results = await run(check, deadlineMs);
    onChecked((done += 1) / checks.length, check[0]);
    return results;
  });
  return (await Promise.all(running)).flat();
}
