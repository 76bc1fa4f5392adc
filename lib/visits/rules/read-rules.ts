import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import type { Label } from "@/lib/contract/labels";
import { INSTANCE, listObservedRules } from "@/lib/tenancy/rule-modes";
import { type Access, authorize, holds } from "@/lib/tenancy/workspaces";
import { labelsOfVisits } from "@/lib/visits/labels";
import {
  countLabelledVisits,
  countRuleFacets,
  countRules,
  countRuleSteps,
  firstNotedRule,
  type LabelledCount,
  listRuleVisits,
  type RuleFacet,
} from "@/lib/visits/visit-store";
import { CATALOGUE, type CataloguedRule, ruleById } from "./catalogue";
import { type Count, measure, type Measured } from "./domain/measure";

export type ObservedBy = { scope: "workspace" | "instance"; actorKind: string; createdBy: string; since: Date };

export type RuleRow = CataloguedRule & {
  /** Visits in which it fired, and those among them in which it was only observed. */
  visits: number;
  observedVisits: number;
  /** Share of fraud among labelled visits in which it fired. */
  precision: Measured | undefined;
  /** Share of visits labelled legitimate in which it fired. */
  falseAccusations: Measured | undefined;
  observedBy: ObservedBy[];
};

type Range = { workspaceId: string; from: Date; to: Date };

const NONE: Count = { visits: 0, devices: 0 };

const countOf = (rows: readonly LabelledCount[], ruleId: string | null, label: Label): Count =>
  rows.find((row) => row.rule_id === ruleId && row.label === label) ?? NONE;

/** Measures one rule by the labels. Testers are ignored. */
function measureRule(rows: readonly LabelledCount[], ruleId: string) {
  const [fraud, legitimate] = [countOf(rows, ruleId, "fraud"), countOf(rows, ruleId, "legitimate")];
  const fired = { visits: fraud.visits + legitimate.visits, devices: fraud.devices + legitimate.devices };
  return {
    precision: measure(fraud.visits, fired),
    falseAccusations: measure(legitimate.visits, countOf(rows, null, "legitimate")),
  };
}

async function readModes({ db }: Context, workspaceId: string): Promise<Map<string, ObservedBy[]>> {
  const modes = new Map<string, ObservedBy[]>();
  for (const { workspaceId: at, ruleId, actorKind, createdBy, createdAt } of await listObservedRules(db, workspaceId)) {
    const scope = at === INSTANCE ? ("instance" as const) : ("workspace" as const);
    modes.set(ruleId, [...(modes.get(ruleId) ?? []), { scope, actorKind, createdBy, since: createdAt }]);
  }
  return modes;
}

/** The actor's permissions for rules. */
const rightsOf = ({ actor }: Context, access: Access) => ({
  maySwitch: holds(access, "rule.manage"),
  maySwitchInstance: actor.kind === "operator" || (actor.kind === "user" && actor.isOperator),
});

/** Measures all verdicts together by the labels. */
function measureVerdicts(rows: readonly LabelledCount[]) {
  const of = (label: Label) => rows.find((row) => row.rule_id === null && row.label === label);
  const [fraud, legitimate, tester] = [of("fraud"), of("legitimate"), of("tester")];
  return {
    labelled: { fraud: fraud?.visits ?? 0, legitimate: legitimate?.visits ?? 0, tester: tester?.visits ?? 0 },
    /** Shares of fraud and of legitimate visits that did not pass. */
    caught: fraud && measure(fraud.accused, fraud),
    falseAccusations: legitimate && measure(legitimate.accused, legitimate),
  };
}

/**
 * Lists all rules with how often they fired and their measured accuracy, most frequent first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listRules(context: Context, range: Range) {
  const access = await authorize(context, range.workspaceId, "report.read");
  const [counts, labelled, modes, countedSince] = await Promise.all([
    countRules(context.db, range),
    countLabelledVisits(context.db, range),
    readModes(context, range.workspaceId),
    firstNotedRule(context.db, range.workspaceId),
  ]);
  const rules = CATALOGUE.map((rule): RuleRow => {
    const count = counts.find(({ rule_id: id }) => id === rule.id);
    return {
      ...rule,
      visits: count?.visits ?? 0,
      observedVisits: count?.observed ?? 0,
      ...measureRule(labelled, rule.id),
      observedBy: modes.get(rule.id) ?? [],
    };
  });
  rules.sort((a, b) => b.visits - a.visits || a.id.localeCompare(b.id));
  return { rules, ...measureVerdicts(labelled), ...rightsOf(context, access), countedSince };
}

/** Numbers of newest visits for the facets and for the list. */
const FACET_VISITS = 2_000;
const LISTED_VISITS = 10;
const MAX_STEPS = 400;

/** Facets that reveal places. */
const PLACES: readonly RuleFacet["by"][] = ["country"];

/**
 * Reads one rule: when and where it fired, with which other rules, its measured accuracy, and its newest visits.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function readRule(
  context: Context,
  { ruleId, starts, ...range }: Range & { ruleId: string; starts: readonly Date[] },
) {
  const access = await authorize(context, range.workspaceId, "report.read");
  const rule = ruleById(ruleId);
  if (!rule) throw new AppError("not_found", { message: "There is no such rule" });
  if (starts.length > MAX_STEPS) throw new AppError("invalid_request", { message: `at most ${MAX_STEPS} steps` });
  const { db } = context;
  const [labelled, modes, steps, facets, newest] = await Promise.all([
    countLabelledVisits(db, range),
    readModes(context, range.workspaceId),
    countRuleSteps(db, ruleId, range, starts),
    countRuleFacets(db, ruleId, range, FACET_VISITS),
    listRuleVisits(db, ruleId, range, LISTED_VISITS),
  ]);
  const imprints = newest.map(({ imprint }) => imprint);
  const labels = await labelsOfVisits(context, range.workspaceId, imprints);
  const [latest] = newest.flatMap(({ found }) => found ?? []);
  return {
    ...rule,
    source: rule.source ?? latest?.source,
    harmlessCauses: rule.harmlessCauses.length > 0 ? rule.harmlessCauses : (latest?.harmlessCauses ?? []),
    /** The rule's explanation for its newest visit. */
    explanation: latest?.explanation,
    visits: steps.reduce((sum, count) => sum + count, 0),
    steps: starts.map((from, index) => ({ from, visits: steps[index] ?? 0 })),
    ...measureRule(labelled, ruleId),
    observedBy: modes.get(ruleId) ?? [],
    facets: facets.filter(({ by }) => access.canSeeAddresses || !PLACES.includes(by)),
    facetVisits: FACET_VISITS,
    newest: newest.map(({ imprint, recordedAt, status, surface, webApp, isObserved }) => ({
      ...{ imprint, recordedAt, status, surface, webApp, isObserved },
      label: labels.get(imprint) ?? null,
    })),
    ...rightsOf(context, access),
  };
}
