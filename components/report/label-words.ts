import type { Label } from "@/lib/contract/labels";

export const LABEL_WORDS: Record<Label, string> = { fraud: "Fraud", legitimate: "Legitimate", tester: "Tester" };

/** The labels, without importing the contract module, which would bring the validator into the browser bundle. */
export const LABELS_IN_ORDER = Object.keys(LABEL_WORDS) as Label[];
