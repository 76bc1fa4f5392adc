export type { Call, UsageOperation } from "./call";
export { flushCalls } from "./call-buffer";
export { type CallFindings, countCall, countedCall } from "./count-call";
export { outcomeOf, USAGE_OUTCOMES, type UsageOutcome } from "./domain/outcome";
export { type Projection, projectUnits } from "./domain/projection";
export { foldUsage } from "./fold-usage";
export { meterDelivery } from "./meter-delivery";
export { readUnits } from "./read-units";
export { readUsage, type Usage, type UsageCount } from "./read-usage";
