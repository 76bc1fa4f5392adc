import type { Label } from "@/lib/contract/labels";

export const LABEL_WORDS: Record<Label, string> = { fraud: "Fraud", legitimate: "Legitimate", tester: "Tester" };

const ACTORS: Record<string, string> = {
  user: "a member",
  managementKey: "a management key",
  operator: "the command line",
};

/** Who set a label, as far as the kind of actor reveals it. */
export const actorText = (kind: string): string => ACTORS[kind] ?? "the service";

/** The labels, without importing the contract module, which would bring the validator into the browser bundle. */
export const LABELS_IN_ORDER = Object.keys(LABEL_WORDS) as Label[];
