export { describeAgentKeys } from "./agent-facts";
export { doctor, doctorWithoutDatabase, type Dependencies, worstOf } from "./doctor";
export type { Fact } from "./domain/fact";
export { describeNetworkData } from "./network-facts";
export { forgetSecret } from "./forget-secret";
export { compareSecrets, verifySecrets } from "./verify-secrets";
export { createForwardingRecorder } from "./forwarding-recorder";
export { rewrapSecrets } from "./rewrap-secrets";
export { ROTATABLE_SECRETS, rotateSecret } from "./rotate-secret";
