import { z } from "zod";

import { RULE_LIMITS, type RuleSettings, RULES_VERSION } from "@/lib/visits/risk";
import { ruleById } from "./catalogue";

/** The rules as in this version of the service. */
export const CURRENT = "current";

/** A set of rules to try on stored visits. */
export type Candidate = { name: string; settings: RuleSettings };

export const currentRules: Candidate = { name: `${CURRENT} (${RULES_VERSION})`, settings: { observed: [] } };

const Change = z.strictObject({
  mode: z.literal("observe").optional(),
  status: z.enum(["SUSPICIOUS", "DECEPTIVE"]).optional(),
  limits: z.record(z.string(), z.number()).optional(),
});
const CandidateFile = z.strictObject({
  name: z.string().min(1).max(80),
  rules: z.record(z.string(), Change),
});

function problemOf(id: string, { limits = {}, status }: z.output<typeof Change>): string | undefined {
  if (!ruleById(id)) return `There is no rule ${id}`;
  const own = RULE_LIMITS[id];
  if (!own && (status !== undefined || Object.keys(limits).length > 0))
    return `${id} is not computed from a visit's signals, so a candidate can only set its mode to observe`;
  const known = Object.keys(own ?? {});
  const unknown = Object.keys(limits).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return known.length === 0
    ? `${id} has no limits`
    : `${id} has no limit ${unknown}, only ${known.map((name) => `${name} (${own?.[name]})`).join(", ")}`;
}

const valuesOf = <T>(rules: readonly (readonly [string, T | undefined])[]): Record<string, T> =>
  Object.fromEntries(rules.flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a candidate file, or returns a message describing the problem. */
export function parseCandidate(text: string): Candidate | string {
  const parsed = CandidateFile.safeParse(parseJson(text));
  if (!parsed.success)
    return 'A candidate is a JSON object such as {"name": "later", "rules": {"environment.window": {"mode": "observe"}}}; a rule can have mode, status and limits';
  const { name, rules } = parsed.data;
  const changes = Object.entries(rules);
  const problem = changes.map(([id, change]) => problemOf(id, change)).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  return {
    name,
    settings: {
      observed: changes.flatMap(([id, { mode }]) => (mode === undefined ? [] : [id])),
      limits: valuesOf(changes.map(([id, { limits }]) => [id, limits])),
      statuses: valuesOf(changes.map(([id, { status }]) => [id, status])),
    },
  };
}
