export { agentKeysStatus, askDirectories, openAgentKeys, watchAgentKeys } from "./keys";
export { verifyAgent } from "./verify-agent";
