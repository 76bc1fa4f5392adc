import type { Label } from "@/lib/contract/labels";

export const LABEL_WORDS: Record<Label, string> = { fraud: "Fraud", legitimate: "Legitimate", tester: "Tester" };

const ACTORS: Record<string, string> = {
  user: "a member",
  managementKey: "a management key",
  operator: "the operator",
};

/** Who set something, as far as the kind of actor tells. */
export const actorText = (kind: string): string => ACTORS[kind] ?? "the service";

/** The labels, without the module of the contract: it would bring the validator to the browser. */
export const LABELS_IN_ORDER = Object.keys(LABEL_WORDS) as Label[];
