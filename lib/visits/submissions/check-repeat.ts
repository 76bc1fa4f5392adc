import type { z } from "zod";

import type { SubmissionBody } from "@/lib/contract/submission";
import type { Challenge } from "./challenge";
import { checkProof } from "./domain/check-proof";
import { checkTimings } from "./domain/check-timings";
import type { RepeatEvidence } from "./domain/evidence";

/** Whether a submission was made for its challenge, as far as its proof and its times tell. */
export function checkRepeat(
  { body, rawBody, now }: { body: z.output<typeof SubmissionBody>; rawBody: string; now: Date },
  { issuedAt }: Challenge,
): RepeatEvidence[] {
  const { challenge, proof, signals, timings } = body;
  const found = checkProof({ rawBody, challenge, proof, signals });
  // A component without a proof measures otherwise, and where the proof is wrong the times may be anybody's.
  if (found.length > 0) return found;
  return checkTimings({ timings, signals, challengeAgeMs: now.getTime() - issuedAt.getTime() });
}
