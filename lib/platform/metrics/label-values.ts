import { STATUS_CODES } from "node:http";

import { ERRORS } from "@/lib/contract/errors";

/** Maximum distinct values of a label; further values become `other`. */
const MAX_VALUES = 300;
const OTHER = "other";

/** Names from our code: words in lower or camel case. Four or more digits in a row indicate an id, address or time. */
const NAME = /^(?!.*\d{4})[A-Za-z][\w.-]*(?: [\w./{}*-]+){0,5}$/;
const MAX_CHARACTERS = 60;

const isOneOf = (values: Iterable<string>) => {
  const known = new Set(values);
  return (value: string) => known.has(value);
};

/** Accepts values that look like names, up to the limit. Such labels must only be set from names in the code. */
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
 * Bounds the number of time series, and keeps values chosen by callers out of them.
 *
 * @param operations allowed values of the label `operation`
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
