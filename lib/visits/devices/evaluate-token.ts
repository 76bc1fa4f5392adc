import { evaluateGeneration, type KnownToken, reusedTokenFinding, type TokenTurn } from "./domain/token-generation";
import { renewDeviceToken } from "./token";

type Presented = { workspaceId: string; tokenId: string; generation: number };

/**
 * Evaluates the generation of a bound token: findings, changes to the token, and the token that the browser should keep
 * after this answer (`token`) or after the answer to the same submission resent (`tokenAgain`).
 */
export function evaluateToken({ workspaceId, tokenId, generation }: Presented, known: KnownToken) {
  const { turn, isCopied, next, nextAgain } = evaluateGeneration(generation, known);
  const tokenOf = (wanted: number | undefined) =>
    wanted === undefined ? undefined : renewDeviceToken(workspaceId, tokenId, wanted);
  return {
    turn,
    findings: isCopied ? [reusedTokenFinding(generation, known)] : [],
    token: tokenOf(next),
    tokenAgain: tokenOf(nextAgain),
  } satisfies { turn: TokenTurn | undefined } & Record<string, unknown>;
}
