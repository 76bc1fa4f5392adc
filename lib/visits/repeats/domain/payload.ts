import type { Durations } from "./durations";

/**
 * What is stored of a submission, as signed 64-bit numbers: keyed digests, which reveal nothing without the workspace's
 * key.
 */
export type Payload = {
  durations: Durations;
  digests: {
    kind: string;
    durations: string | null;
    /** The sketch of the run's durations; a digest of them if they are too short for one. */
    allDurations: string | null;
    token: string | null;
    network: string;
    picture: string | null;
  };
};
