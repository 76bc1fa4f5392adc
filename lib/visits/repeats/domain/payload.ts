import type { Durations } from "./durations";

/** What is kept of a submission: digests that say nothing without the workspace's key, as signed 64-bit numbers. */
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
