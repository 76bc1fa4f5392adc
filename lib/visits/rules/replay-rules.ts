import type { Context } from "@/lib/platform/context";
import type { ReportStatus } from "@/lib/contract/report";
import { authorize } from "@/lib/tenancy/workspaces";
import { firedRules, RULES_VERSION } from "@/lib/visits/risk";
import { listVisitSignals, mapLabels, type StoredVisitSignals } from "@/lib/visits/visit-store";
import type { Candidate } from "./candidate";
import { compareAccuracy, type Comparison, type Labelled } from "./domain/tally";
import { replayVisit, storedVerdict, verdictOf } from "./replay-visit";

const AT_ONCE = 1_000;
const NAMED = 10;
/** Of the visits that a candidate is tried on, every nth is also checked against the current rules. */
const CHECKED_EVERY = 16;

export type Replay = Comparison & {
  visits: number;
  /** Visits whose raw signals were erased. */
  withoutSignals: number;
  /** Visits with a changed verdict, by old and new verdict. */
  changes: { from: ReportStatus; to: ReportStatus; visits: number }[];
  /** Rules that would fire in more or fewer visits. */
  rules: { ruleId: string; before: number; after: number }[];
  /** Visits assessed by this version of the rules, and those for which reapplying them gives a different result. */
  sameVersion: { visits: number; different: number; imprints: string[] };
  seconds: number;
};

/** Counts of a replay so far. */
class Tally {
  visits = 0;
  withoutSignals = 0;
  readonly labelled: Labelled[] = [];
  readonly sameVersion = { visits: 0, different: 0, imprints: [] as string[] };
  readonly #changes = new Map<string, { from: ReportStatus; to: ReportStatus; visits: number }>();
  readonly #rules = new Map<string, { before: number; after: number }>();

  count(ruleIds: readonly string[], when: "before" | "after"): void {
    for (const ruleId of ruleIds) {
      const counts = this.#rules.get(ruleId) ?? { before: 0, after: 0 };
      counts[when] += 1;
      this.#rules.set(ruleId, counts);
    }
  }

  change(from: ReportStatus, to: ReportStatus): void {
    const change = this.#changes.get(`${from} ${to}`) ?? { from, to, visits: 0 };
    change.visits += 1;
    this.#changes.set(`${from} ${to}`, change);
  }

  /** Reapplying unchanged rules of the same version must give the same result. */
  compareVersion({ imprint, rulesVersion }: StoredVisitSignals, isSame: boolean): void {
    if (rulesVersion !== RULES_VERSION) return;
    this.sameVersion.visits += 1;
    if (isSame) return;
    this.sameVersion.different += 1;
    if (this.sameVersion.imprints.length < NAMED) this.sameVersion.imprints.push(imprint);
  }

  changes = () => [...this.#changes.values()].sort((a, b) => b.visits - a.visits);
  rules = () =>
    [...this.#rules]
      .filter(([, { before, after }]) => before !== after)
      .map(([ruleId, counts]) => ({ ruleId, ...counts }))
      .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || a.ruleId.localeCompare(b.ruleId));
}

const findingIds = (evidence: readonly { ruleId: string }[]) =>
  firedRules({ evidence, observed: [] }).map(({ ruleId }) => ruleId);

function replayOne(tally: Tally, stored: StoredVisitSignals, candidate: Candidate): Pick<Labelled, "before" | "after"> {
  const before = storedVerdict(stored.report);
  const risk = replayVisit(stored, candidate.settings);
  const after = verdictOf(risk);
  const { observed, limits = {}, statuses = {} } = candidate.settings;
  const isAsItIs = observed.length + Object.keys(limits).length + Object.keys(statuses).length === 0;
  if (isAsItIs) tally.compareVersion(stored, after.text === before.text);
  else if (tally.visits % CHECKED_EVERY === 1)
    tally.compareVersion(stored, verdictOf(replayVisit(stored, { observed: [] })).text === before.text);
  if (before.status !== after.status) tally.change(before.status, after.status);
  tally.count(findingIds((stored.evidence as { risk: { ruleId: string }[] }).risk), "before");
  tally.count(findingIds(risk.evidence), "after");
  return { before: before.status, after: after.status };
}

/**
 * Applies rules to a workspace's stored visits and reports what would change. Writes nothing, so Reports stay as
 * delivered.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function replayRules(
  context: Context,
  { candidate, ...range }: { workspaceId: string; from: Date; to: Date; candidate: Candidate },
  onPage: (lastImprint: string, visits: number) => void = () => undefined,
): Promise<Replay> {
  await authorize(context, range.workspaceId, "rule.manage");
  const startedAt = performance.now();
  const labels = await mapLabels(context.db, range);
  const tally = new Tally();
  const pageAfter = (after: string | undefined) => listVisitSignals(context.db, range, { after, limit: AT_ONCE });
  for (let page = await pageAfter(undefined); page.length > 0;) {
    // The database reads the next page while this one is assessed.
    const next = page.length < AT_ONCE ? Promise.resolve([]) : pageAfter(page.at(-1)?.imprint);
    next.catch(() => undefined);
    for (const stored of page) {
      if (stored.signals === null || stored.signals === undefined) {
        tally.withoutSignals += 1;
        continue;
      }
      tally.visits += 1;
      const statuses = replayOne(tally, stored, candidate);
      const label = labels.get(stored.imprint);
      if (label) tally.labelled.push({ deviceId: stored.deviceId, label, ...statuses });
    }
    onPage(page.at(-1)?.imprint ?? "", tally.visits);
    page = await next;
  }
  return {
    ...compareAccuracy(tally.labelled),
    visits: tally.visits,
    withoutSignals: tally.withoutSignals,
    changes: tally.changes(),
    rules: tally.rules(),
    sameVersion: tally.sameVersion,
    seconds: (performance.now() - startedAt) / 1000,
  };
}
