import { isDatabaseUnavailable } from "@/db/client";
import { failureCode } from "@/db/failures";
import { failureText } from "@/lib/platform/failure-text";
import type { Fact } from "./domain/fact";

/** Longer than a statement's time limit, and than a mail server or an identity provider is waited for. */
const DEADLINE_MS = 11_000;

/** A check, with the name under which its failure is reported. */
export type NamedCheck = readonly [name: string, check: () => Promise<Fact | Fact[]> | Fact | Fact[]];

function failed(name: string, error: unknown): Fact {
  if (isDatabaseUnavailable(error)) {
    const text = `This could not be checked: the database did not answer (${failureText(error) ?? "no reason given"}).`;
    return { name, status: "fail", text, fix: "Start the database, or see DATABASE_URL." };
  }
  const text = `This could not be checked (${failureCode(error) ?? "unexpected failure"}).`;
  return { name, status: "fail", text, fix: "See the fact about the schema; LOG_LEVEL=debug logs more." };
}

const LATE = Symbol("late");

async function run([name, check]: NamedCheck, deadlineMs: number): Promise<Fact[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => (timer = setTimeout(resolve, deadlineMs, LATE)));
  try {
    const found = await Promise.race([Promise.resolve().then(check), late]);
    if (found !== LATE) return Array.isArray(found) ? found : [found];
    const text = `This could not be checked within ${deadlineMs / 1000} s.`;
    return [{ name, status: "fail", text, fix: "The service that it checks hangs or is overloaded." }];
  } catch (error) {
    return [failed(name, error)];
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all checks concurrently. One that fails or hangs becomes a fact and does not affect the others. */
export const runChecks = async (checks: readonly NamedCheck[], deadlineMs = DEADLINE_MS): Promise<Fact[]> =>
  (await Promise.all(checks.map((check) => run(check, deadlineMs)))).flat();
