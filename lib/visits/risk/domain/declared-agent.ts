import type { Evidence } from "./rule";

/** An automated agent whose signature of the visit's request was verified. */
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
  explanation: `The automated agent ${name} made this visit and says so: it signed the request with its own key, so nothing about the automation is disguised.`,
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
 * What is found of a visit that an agent signed: that it is automated is said first, with the agent's name, and counts
 * no more than what it is; contradictions about anything else stay as grave as they are.
 */
export const withDeclaredAgent = (evidence: readonly Evidence[], agent: DeclaredAgent): Evidence[] => [
  declaration(agent),
  ...evidence.map(lowered),
];
