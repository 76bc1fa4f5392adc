export type FiredRule = { ruleId: string; isObserved: boolean };

type Named = readonly { ruleId: string }[];

/** The rules that fired in a visit, each once, however much each of them found. */
export function firedRules({ evidence, observed }: { evidence: Named; observed: Named }): FiredRule[] {
  const observedIds = new Set(observed.map(({ ruleId }) => ruleId));
  const all = new Set([...evidence.map(({ ruleId }) => ruleId), ...observedIds]);
  return [...all].map((ruleId) => ({ ruleId, isObserved: observedIds.has(ruleId) }));
}
