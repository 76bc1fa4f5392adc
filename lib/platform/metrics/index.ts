export { DECLARED, type Declared, type MetricName } from "./declared";
export { metrics, publishRecorder, type Recorder } from "./recorder";
export type { Figures } from "./registry";

/** Loads the library only in processes that collect metrics. */
export const loadRegistry = () => import("./registry");
