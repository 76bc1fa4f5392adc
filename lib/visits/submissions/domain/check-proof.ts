import { digestOf, drawExactly, squaresOf, tailOf } from "@/lib/contract/challenge-proof";
import type { Signals } from "@/lib/contract/signals";
import type { Compared, Evidence } from "@/lib/visits/risk/domain/evidence";

import { repeatEvidence } from "./evidence";

type Proof = { drawing: string; digest: string };

/** The parts of a submission that the proof covers. */
type Proven = { rawBody: string; challenge: string; proof: Proof | undefined; signals: Signals };

const SOURCE = "docs/risk.md: bound to the challenge";

const missing = repeatEvidence("repeat.proof-missing", {
  explanation:
    "The visit does not answer its challenge, so nothing shows that it was observed now rather than recorded earlier.",
  compared: [
    { label: "Answer to the challenge", value: "not sent", isOdd: true },
    { label: "Expected", value: "the answer that browser components send since 0.3.0", isOdd: false },
  ],
  harmlessCauses: ["A page that is pinned to a browser component before 0.3.0"],
  source: SOURCE,
});

const wrong = (sent: string, expected: string) =>
  repeatEvidence("repeat.proof-wrong", {
    explanation:
      "The answer to the challenge does not match the submission, which was recorded earlier or changed afterwards.",
    compared: [
      { label: "Digest of the submission, sent", value: sent, isOdd: true },
      { label: "Digest of the submission as received", value: expected, isOdd: false },
    ],
    harmlessCauses: ["A proxy or an extension that rewrites what the page sends"],
    source: SOURCE,
  });

const wrongDrawing = (compared: Compared[]) =>
  repeatEvidence("repeat.drawing-wrong", {
    explanation:
      "The visit was asked to draw squares whose positions and colours follow from its challenge, but it sent a different drawing.",
    compared,
    harmlessCauses: ["An extension that replaces what pages read back from a drawing"],
    source: SOURCE,
  });

/**
 * The digest that a body should end with, computed from the rest of it. Undefined if the body does not end with
 * `digest`.
 */
function expectedDigest(rawBody: string, digest: string): string | undefined {
  const tail = tailOf(digest);
  return rawBody.endsWith(tail) ? digestOf(rawBody.slice(0, -tail.length)) : undefined;
}

const PIXEL_DIGITS = 8;
/**
 * Largest noise per channel, of 256 levels. Privacy protections move a channel by a few levels; a different picture
 * moves it by 85 on average.
 */
const MAX_NOISE = 8;
/** Wrong pixels, of the 256 in the solid fill of the `canvas` group, above which reading back proves nothing. */
const MAX_FILL_ERRORS = 64;

const pixelsOf = (drawing: string) => drawing.match(/.{8}/g) ?? [];
const channelsOf = (pixel: string) => [0, 2, 4, 6].map((at) => parseInt(pixel.slice(at, at + 2), 16));

function isSamePixel(one: string, other: string): boolean {
  const second = channelsOf(other);
  return channelsOf(one).every((channel, at) => Math.abs(channel - (second[at] ?? 0)) <= MAX_NOISE);
}

/** Converts a pixel from canvas memory order to CSS hex notation. */
const colourOf = (pixel: string) => `#${pixel.slice(6, 8)}${pixel.slice(4, 6)}${pixel.slice(2, 4)}`;
const coloursOf = (drawing: string) => pixelsOf(drawing).map(colourOf).join(" ");

/**
 * Compares the drawing with the one that the challenge requires. Skipped if the visit's own `canvas` group shows that
 * reading back is random or blocked. Small differences count as noise.
 */
function checkDrawing({ challenge, signals }: Proven, { drawing }: Proof): Evidence | undefined {
  const canvas = signals.canvas;
  if (canvas?.state !== "ok" || !canvas.value.isStable || canvas.value.solidFillErrors > MAX_FILL_ERRORS)
    return undefined;
  const expected = drawExactly(squaresOf(challenge));
  if (drawing === expected) return undefined;
  const sent = pixelsOf(drawing);
  const unexpected = pixelsOf(expected).filter(
    (pixel, at) => !isSamePixel(pixel, sent[at] ?? "0".repeat(PIXEL_DIGITS)),
  );
  if (unexpected.length * 2 <= pixelsOf(expected).length) return undefined;
  return wrongDrawing([
    { label: "Colours drawn", value: drawing === "" ? "none" : coloursOf(drawing), isOdd: true },
    { label: "Colours required by the challenge", value: coloursOf(expected), isOdd: false },
  ]);
}

/** Evidence that a submission was not made for its challenge. */
export function checkProof(submission: Proven): Evidence[] {
  const { proof, rawBody } = submission;
  if (proof === undefined) return [missing];
  const expected = expectedDigest(rawBody, proof.digest);
  if (expected !== proof.digest) return [wrong(proof.digest, expected ?? "not at the end of the body")];
  return [checkDrawing(submission, proof)].filter((found) => found !== undefined);
}
