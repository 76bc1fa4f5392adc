import type { Evidence } from "./evidence";

/** An automated agent whose signature on the visit's request was verified. */
export type DeclaredAgent = {
  name: string;
  /** Thumbprint of its key. */
  keyId: string;
};

const HARMLESS_CAUSES = [
  "A person who lets an assistant fill in the page",
  "A monitor or a test of your own that signs its requests",
] as const;

export const DECLARED_AGENT_RULE = {
  id: "automation.declared-agent",
  reason: "AUTOMATION_DETECTED",
  source: "RFC 9421, HTTP message signatures; draft-ietf-webbotauth-httpsig-protocol, Web Bot Auth",
  harmlessCauses: HARMLESS_CAUSES,
} as const;

const declaration = ({ name, keyId }: DeclaredAgent): Evidence => ({
  ruleId: DECLARED_AGENT_RULE.id,
  reason: DECLARED_AGENT_RULE.reason,
  status: "SUSPICIOUS",
  explanation: `The automated agent ${name} made this visit and declared it by signing the request with its own key, so the automation is not disguised.`,
  compared: [
    { label: "Signed by", value: name, isOdd: true },
    { label: "Expected of a person", value: "no signature", isOdd: false },
    { label: "Key of the agent", value: keyId, isOdd: false },
  ],
  harmlessCauses: HARMLESS_CAUSES,
  source: DECLARED_AGENT_RULE.source,
});

const lowered = (item: Evidence): Evidence =>
  item.reason === "AUTOMATION_DETECTED" && item.status === "DECEPTIVE" ? { ...item, status: "SUSPICIOUS" } : item;

/**
 * Adds the agent's declaration as the first finding, and lowers automation findings to SUSPICIOUS because the
 * automation is declared. Contradictions about anything else keep their severity.
 */
export const withDeclaredAgent = (evidence: readonly Evidence[], agent: DeclaredAgent): Evidence[] => [
  declaration(agent),
  ...evidence.map(lowered),
];
