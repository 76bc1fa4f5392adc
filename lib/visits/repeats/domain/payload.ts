import type { Durations } from "./durations";

/**
 * What is stored of a submission: keyed digests as signed 64-bit numbers, which reveal nothing without the workspace's
 * key.
 */
export type Payload = {
  durations: Durations;
  digests: {
    kind: string;
    durations: string | null;
    allDurations: string | null;
    token: string | null;
    network: string;
    picture: string | null;
  };
};
