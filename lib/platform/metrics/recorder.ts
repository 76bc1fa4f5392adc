import type { LabelsOf, MetricName } from "./declared";

/** Where a process counts. Values of labels that are not of a closed list become `other`. */
export type Recorder = {
  count: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, by?: number) => void;
  /** Adds a duration to a histogram. */
  observe: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, seconds: number) => void;
  set: <Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value: number) => void;
  /** Drops the values of a metric: its labels may be others from now on. */
  clear: (name: MetricName) => void;
};

const HOLDER = Symbol.for("imprint.metrics");
const holder = globalThis as { [HOLDER]?: Recorder | undefined };

/** The recorder of this process, shared by its two module graphs; nothing while no metrics are wanted. */
export const metrics = (): Recorder | undefined => holder[HOLDER];

export function publishRecorder(recorder: Recorder | undefined): void {
  holder[HOLDER] = recorder;
}
