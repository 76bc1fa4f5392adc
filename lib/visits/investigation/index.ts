export { addToCase } from "./add-to-case";
export type { OnVisits } from "./collect-evidence";
export { type CaseEntry, entryText } from "./case-history";
export { compareVisits, type VisitComparison } from "./compare-visits";
export type { ComparedFact, RuleOutcome } from "./domain/compare-facts";
export type { Touched } from "./domain/evidence";
export {
  EVIDENCE_FORMATS,
  type EvidenceFile,
  type EvidenceFormat,
  exportCase,
  exportEvidence,
} from "./export-evidence";
export { parseAsn } from "./domain/parse-asn";
export { openCase } from "./open-case";
export { summariseCase } from "./summarise-case";
export { listSharers, type Sharer, summariseSubject } from "./summarise-subject";
export { takeFromCase } from "./take-from-case";
export type { AddressKind, Group, Pattern } from "./domain/link-graph";
export { type LinkedNode, type LinkedView, NETWORK_DAYS, readLinks } from "./read-links";
