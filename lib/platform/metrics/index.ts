export { DECLARED, type Declared, type MetricName } from "./declared";
export { metrics, publishRecorder, type Recorder } from "./recorder";
export type { Figures } from "./registry";

/** Loads the library: a process without metrics never does. */
export const loadRegistry = () => import("./registry");
