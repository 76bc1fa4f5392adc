import type { Label } from "@/lib/contract/labels";

export const LABEL_WORDS: Record<Label, string> = { fraud: "Fraud", legitimate: "Legitimate", tester: "Tester" };

const ACTORS: Record<string, string> = {
  user: "a member",
  managementKey: "a management key",
  operator: "the operator",
};

/** Who set something, as far as the kind of actor tells. */
export const actorText = (kind: string): string => ACTORS[kind] ?? "the service";
