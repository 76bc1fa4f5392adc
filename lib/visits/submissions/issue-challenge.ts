import type { z } from "zod";

import type { Context } from "@/lib/platform/context";
import type { issueChallengeOperation } from "@/lib/contract/submission";
import { issueDeviceToken } from "@/lib/visits/devices";
import { issueProbe } from "@/lib/visits/probe";
import type { OriginPrincipal } from "./authenticate-origin";
import { createChallenge } from "./challenge";
import { presentedToken, type SignedVisitor, tokenToKeep } from "./signed-visitor";

type Input = z.output<typeof issueChallengeOperation.body>;
type Output = z.input<(typeof issueChallengeOperation.responses)[200]>;

/**
 * Issues a challenge, and a new device token unless a usable one was presented. A proxy that keeps the token always
 * receives it. Nothing is stored.
 */
export function issueChallenge(
  context: Context & { address: string | undefined; visitor: SignedVisitor | undefined },
  caller: OriginPrincipal,
  input: Input,
): Output {
  const { challenge, nonce, expiresAt } = createChallenge(caller, context.address, context.now);
  const probe = issueProbe(nonce, context.now);
  const presented = presentedToken(caller.workspaceId, input.token, context.visitor);
  const token =
    presented === undefined ? issueDeviceToken(caller.workspaceId) : tokenToKeep(presented, context.visitor);
  return {
    challenge,
    expires_at: expiresAt.toISOString(),
    ...(token !== undefined && { token }),
    ...(probe && { probe }),
  };
}
