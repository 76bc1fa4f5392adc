import { digestOf, drawExactly, squaresOf, tailOf } from "@/lib/contract/challenge-proof";
import type { Signals } from "@/lib/contract/signals";

import { type Compared, evidenceOf, type RepeatEvidence } from "./evidence";

type Proof = { drawing: string; digest: string };

/** A submission as far as its proof goes. */
type Proven = { rawBody: string; challenge: string; proof: Proof | undefined; signals: Signals };

const SOURCE = "docs/risk.md: bound to the challenge";

const missing = evidenceOf("repeat.proof-missing", {
  explanation:
    "The visit does not answer the challenge that it was given: nothing shows that it was observed now and not recorded before.",
  compared: [
    { label: "Answer to the challenge", value: "not sent", isOdd: true },
    { label: "Expected", value: "the answer that the browser component sends since 0.3.0", isOdd: false },
  ],
  harmlessCauses: ["A page that is pinned to a browser component before 0.3.0"],
  source: SOURCE,
});

const wrong = (sent: string, expected: string) =>
  evidenceOf("repeat.proof-wrong", {
    explanation:
      "The answer to the challenge does not fit what was submitted: the submission was recorded earlier, or changed after it was made.",
    compared: [
      { label: "Digest of the submission, sent", value: sent, isOdd: true },
      { label: "Digest of the submission, as it arrived", value: expected, isOdd: false },
    ],
    harmlessCauses: ["A proxy or an extension that rewrites what the page sends"],
    source: SOURCE,
  });

const wrongDrawing = (compared: Compared[]) =>
  evidenceOf("repeat.drawing-wrong", {
    explanation:
      "The visit was asked to draw squares whose places and colours follow from its challenge, and sent another drawing.",
    compared,
    harmlessCauses: ["An extension that replaces what pages read back from a drawing"],
    source: SOURCE,
  });

/** The digest that the text of a body should end with; undefined where `digest` does not end it. */
function expectedDigest(rawBody: string, digest: string): string | undefined {
  const tail = tailOf(digest);
  return rawBody.endsWith(tail) ? digestOf(rawBody.slice(0, -tail.length)) : undefined;
}

const PIXEL_DIGITS = 8;
/** Noise of privacy protections moves a channel by a few steps of 256; another picture moves it by 85 on average. */
const MAX_NOISE = 8;
/** Wrong pixels of 256 in the solid fill of the `canvas` group: beyond, reading back tells nothing. */
const MAX_FILL_ERRORS = 64;

const pixelsOf = (drawing: string) => drawing.match(/.{8}/g) ?? [];
const channelsOf = (pixel: string) => [0, 2, 4, 6].map((at) => parseInt(pixel.slice(at, at + 2), 16));

function isSamePixel(one: string, other: string): boolean {
  const second = channelsOf(other);
  return channelsOf(one).every((channel, at) => Math.abs(channel - (second[at] ?? 0)) <= MAX_NOISE);
}

/** Memory order, as canvases have it, to the notation of style sheets. */
const colourOf = (pixel: string) => `#${pixel.slice(6, 8)}${pixel.slice(4, 6)}${pixel.slice(2, 4)}`;
const coloursOf = (drawing: string) => pixelsOf(drawing).map(colourOf).join(" ");

/**
 * Holds the drawing against the challenge where the visit itself says that its canvas gives back what was painted. Noise
 * is told from another picture by its size, and a canvas whose answers are random or refused proves nothing.
 */
function checkDrawing({ challenge, signals }: Proven, { drawing }: Proof): RepeatEvidence | undefined {
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
    { label: "Colours that the challenge asks for", value: coloursOf(expected), isOdd: false },
  ]);
}

/** What speaks against a submission having been made for its challenge. */
export function checkProof(submission: Proven): RepeatEvidence[] {
  const { proof, rawBody } = submission;
  if (proof === undefined) return [missing];
  const expected = expectedDigest(rawBody, proof.digest);
  if (expected !== proof.digest) return [wrong(proof.digest, expected ?? "stands in another place")];
  return [checkDrawing(submission, proof)].filter((found) => found !== undefined);
}
