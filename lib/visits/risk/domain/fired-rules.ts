export type FiredRule = { ruleId: string; isObserved: boolean };

type Named = readonly { ruleId: string }[];

/** Ids of the rules that fired in a visit, without duplicates. */
export function firedRules({ evidence, observed }: { evidence: Named; observed: Named }): FiredRule[] {
  const observedIds = new Set(observed.map(({ ruleId }) => ruleId));
  const all = new Set([...evidence.map(({ ruleId }) => ruleId), ...observedIds]);
  return [...all].map((ruleId) => ({ ruleId, isObserved: observedIds.has(ruleId) }));
}
