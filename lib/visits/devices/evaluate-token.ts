import { evaluateGeneration, type KnownToken, reusedTokenFinding, type TokenTurn } from "./domain/token-generation";
import { renewDeviceToken } from "./token";

type Presented = { workspaceId: string; tokenId: string; generation: number };

/**
 * What the generation of a bound token says of a visit, what the visit changes of the token, and the token that the
 * visit's browser is to keep: with this answer, and with that to the same submission sent again.
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
