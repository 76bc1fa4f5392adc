import { STATUS_CODES } from "node:http";

import { ERRORS } from "@/lib/contract/errors";

/** Distinct values that a label may have; what comes later is `other`. */
const MAX_VALUES = 300;
const OTHER = "other";

/** Names of ours: words in lower or camel case. Numbers of four digits and more are of ids, addresses or times. */
const NAME = /^(?!.*\d{4})[A-Za-z][\w.-]*(?: [\w./{}*-]+){0,5}$/;
const MAX_CHARACTERS = 60;

const isOneOf = (values: Iterable<string>) => {
  const known = new Set(values);
  return (value: string) => known.has(value);
};

/** Accepts what looks like a name, up to the limit. Only names that stand in the code are counted by. */
function names() {
  const known = new Set<string>();
  return (value: string): boolean => {
    if (known.has(value)) return true;
    if (known.size >= MAX_VALUES || value.length > MAX_CHARACTERS || !NAME.test(value)) return false;
    known.add(value);
    return true;
  };
}

export type Labels = Readonly<Record<string, string>>;
export type Guard = (labels: Labels) => Labels;

/**
 * Keeps the number of time series bounded, and everything that a caller chose out of them.
 *
 * @param operations the closed list of the label `operation`
 */
export function createGuard(operations: Iterable<string>): Guard {
  const accepts: Record<string, (value: string) => boolean> = {
    operation: isOneOf(operations),
    code: isOneOf(["ok", ...Object.keys(ERRORS)]),
    status: isOneOf(Object.keys(STATUS_CODES)),
    version: (value) => /^[\w.+-]{1,40}$/.test(value),
    quantile: isOneOf(["p50", "p99", "max"]),
  };
  const isAccepted = (label: string, value = "") => (accepts[label] ??= names())(value);
  return (labels) => {
    for (const label in labels) {
      if (isAccepted(label, labels[label])) continue;
      return Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [name, isAccepted(name, value) ? value : OTHER]),
      );
    }
    return labels;
  };
}
