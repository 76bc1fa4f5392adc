import type { z } from "zod";

import type { Context } from "@/lib/platform/context";
import type { issueChallengeOperation } from "@/lib/contract/submission";
import { issueDeviceToken, readDeviceToken } from "@/lib/visits/devices";
import { issueProbe } from "@/lib/visits/probe";
import type { OriginPrincipal } from "./authenticate-origin";
import { createChallenge } from "./challenge";

type Input = z.output<typeof issueChallengeOperation.body>;
type Output = z.input<(typeof issueChallengeOperation.responses)[200]>;

/** Hands out a challenge, and a fresh device token when none or an unusable one came. Nothing is stored. */
export function issueChallenge(
  context: Context & { address: string | undefined },
  caller: OriginPrincipal,
  input: Input,
): Output {
  const { challenge, nonce, expiresAt } = createChallenge(caller, context.address, context.now);
  const probe = issueProbe(nonce, context.now);
  const isTokenUsable = readDeviceToken(caller.workspaceId, input.token) !== undefined;
  return {
    challenge,
    expires_at: expiresAt.toISOString(),
    ...(isTokenUsable ? {} : { token: issueDeviceToken(caller.workspaceId) }),
    ...(probe && { probe }),
  };
}
