/** Values of a visit by name, such as `signals.screen.width`. Values that it did not report are missing. */
export type Facts = ReadonlyMap<string, string>;

export type ComparedFact = {
  name: string;
  before: string | undefined;
  after: string | undefined;
  /** Rules that read the value in one of the visits. */
  rules: string[];
};

export type FactComparison = { changed: ComparedFact[]; same: ComparedFact[] };

const rulesOf = (name: string, reads: readonly ReadonlyMap<string, ReadonlySet<string>>[]): string[] =>
  [...new Set(reads.flatMap((each) => [...(each.get(name) ?? [])]))].sort();

/** Compares the values of two visits, separating changed from equal ones, by name. */
export function compareFacts(
  before: Facts,
  after: Facts,
  reads: readonly ReadonlyMap<string, ReadonlySet<string>>[],
): FactComparison {
  const facts = [...new Set([...before.keys(), ...after.keys()])].map((name) => ({
    name,
    before: before.get(name),
    after: after.get(name),
    rules: rulesOf(name, reads),
  }));
  return {
    changed: facts.filter((fact) => fact.before !== fact.after),
    same: facts.filter((fact) => fact.before === fact.after),
  };
}

export type RuleOutcome = {
  ruleId: string;
  /** Which of the two visits it fired in. */
  in: "both" | "first" | "second";
  explanation: string;
  /** Names of the changed values that it reads. */
  changed: string[];
};

type Found = { ruleId: string; text: string };

/** Compares the findings of two visits, with those that only one of them has first. */
export function compareFindings(
  before: readonly Found[],
  after: readonly Found[],
  changed: readonly ComparedFact[],
): RuleOutcome[] {
  const found = new Map([...before, ...after].map((finding) => [finding.ruleId, finding]));
  const has = (findings: readonly Found[], ruleId: string) => findings.some((finding) => finding.ruleId === ruleId);
  const outcomes = [...found.values()].map(({ ruleId, text }): RuleOutcome => {
    const isInBoth = has(before, ruleId) && has(after, ruleId);
    return {
      ruleId,
      in: isInBoth ? "both" : has(before, ruleId) ? "first" : "second",
      explanation: text,
      changed: changed.filter(({ rules }) => rules.includes(ruleId)).map(({ name }) => name),
    };
  });
  return outcomes.sort((one, other) => Number(one.in === "both") - Number(other.in === "both"));
}
