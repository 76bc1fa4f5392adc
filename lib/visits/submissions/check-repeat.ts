import type { z } from "zod";

import type { SubmissionBody } from "@/lib/contract/submission";
import type { Evidence } from "@/lib/visits/risk";
import type { Challenge } from "./challenge";
import { checkProof } from "./domain/check-proof";
import { checkTimings } from "./domain/check-timings";

/** Checks the proof and the timings of a submission against its challenge. */
export function checkRepeat(
  { body, rawBody, now }: { body: z.output<typeof SubmissionBody>; rawBody: string; now: Date },
  { issuedAt, isOfOwnClock }: Challenge,
): Evidence[] {
  const { challenge, proof, signals, timings } = body;
  const found = checkProof({ rawBody, challenge, proof, signals });
  // Components without a proof measure time differently, and if the proof is wrong the timings may not belong to this
  // visit.
  if (found.length > 0) return found;
  const challengeAgeMs = now.getTime() - issuedAt.getTime();
  // The clock was set back meanwhile, so the age says nothing.
  if (isOfOwnClock && challengeAgeMs < 0) return [];
  return checkTimings({ timings, signals, challengeAgeMs, isOfOwnClock });
}
