export { describePayload, networkName } from "./describe-payload";
export { evaluateRepeat, PAYLOAD_RULES, type Repetition } from "./domain/evaluate-repeat";
export type { Payload } from "./domain/payload";
export { pictureOf } from "./domain/picture";
export { purgePayloadObservations } from "./purge-payload-observations";
