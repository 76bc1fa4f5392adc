import { sharedState } from "../shared-state";
import type { LabelsOf, MetricName } from "./declared";

/** Records the metrics of a process. Label values outside a closed list become `other`. */
export type Recorder = {
  count: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, by?: number) => void;
  /** Adds a duration to a histogram. */
  observe: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, seconds: number) => void;
  set: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value: number) => void;
  /** Drops all series of a metric, whose label values may have changed. */
  clear: (name: MetricName) => void;
};

const holder = sharedState<Recorder>("metrics");

/** The recorder of this process; undefined if metrics are off. */
export const metrics = (): Recorder | undefined => holder.value;

export function publishRecorder(recorder: Recorder | undefined): void {
  holder.value = recorder;
}
