export { type AgentKeysStatus, agentKeysStatus, askDirectories, openAgentKeys, watchAgentKeys } from "./keys";
export type { Refusal as SignatureRefusal } from "./read-signature";
export { type AgentRecord, verifyAgent } from "./verify-agent";
