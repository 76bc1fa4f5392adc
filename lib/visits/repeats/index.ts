export { describePayload, networkName } from "./describe-payload";
export { evaluateRepeat, type Repetition } from "./domain/evaluate-repeat";
export type { Payload } from "./domain/payload";
export { purgePayloadObservations } from "./purge-payload-observations";
