/**
 * Binds a submission to its challenge. Does not import zod, because the browser component imports this file.
 * Frozen by the first release that has it, 0.3.0: what that release computes is checked for as long as its file is served.
 * None of it is secret: it makes a recording useless as it stands, and an edited one more work than editing.
 */

// Signed, so that engines keep the sums in integers: 0x9e3779b1.
const FACTOR = -0x61c8864f;
const OTHER_FACTOR = 0x5f356495;

/** The lower 32 bits as 8 hex digits. */
export const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");

/** Two 32-bit multiply-and-shift hashes side by side, as 16 hex digits. Not cryptographic. */
export const hash = (values: Uint8Array | Uint32Array): string => {
  let sum = FACTOR;
  let other = OTHER_FACTOR;
  // By index: an iterator makes an object for each value, a callback calls a function.
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    sum = Math.imul(sum ^ value, FACTOR);
    sum ^= sum >>> 15;
    other = Math.imul(other ^ value, OTHER_FACTOR);
    other ^= other >>> 15;
  }
  return hex(sum) + hex(other);
};

const encoder = new TextEncoder();
const hashText = (text: string) => hash(encoder.encode(text));

/** A square of `SQUARE_SIDE` pixels: left and upper edge, and colour as six hex digits. */
export type Square = readonly [x: number, y: number, colour: string];

/** Pixels. A square lies inside wherever it begins. */
export const SQUARE_SIDE = 4;
export const DRAWING_SIDE = 16 + SQUARE_SIDE;

/** The squares that follow from a challenge, to be painted one over the other. */
export const squaresOf = (challenge: string): Square[] =>
  "012345".split("").map((number) => {
    const digits = hashText(number + challenge);
    const place = (at: number) => parseInt(digits.charAt(at), 16);
    return [place(6), place(7), digits.slice(8, 14)];
  });

/** `head` is the text of the body up to the digest, the challenge in it: whatever else stands there is bound to it. */
export const digestOf = hashText;

/** What follows `head` in a body; nothing follows that. */
export const tailOf = (digest: string): string => `,"digest":"${digest}"}}`;

/** Without `toJSON`, which old libraries such as Prototype.js give every array or object of their page. */
export const stringify = (value: object): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });

/**
 * The text of a submission with its proof, which comes last.
 *
 * @param draw paints the squares and reads back the upper left pixel of each, as 8 hex digits in memory order; "" where
 *   nothing can be read
 */
export const composeBody = (
  body: { challenge: string } & Record<string, unknown>,
  draw: (squares: Square[]) => string,
): string => {
  const proof = { drawing: draw(squaresOf(body.challenge)) };
  const head = stringify({ ...body, proof }).slice(0, -2);
  return head + tailOf(hashText(head));
};

/** What a canvas gives back that adds no noise: whichever square was painted last on a pixel gives its colour. */
export const drawExactly = (squares: Square[]): string =>
  squares
    .map(([x, y]) => {
      const covers = (at: number, from: number) => at >= from && at < from + SQUARE_SIDE;
      const [, , colour] = squares.findLast(([left, upper]) => covers(x, left) && covers(y, upper)) ?? [0, 0, ""];
      const [red, green, blue] = [0, 2, 4].map((at) => colour.slice(at, at + 2));
      return `ff${blue}${green}${red}`;
    })
    .join("");

/** The text of a submission as a browser without noise sends it. For whoever submits without one: tests and scripts. */
export const composeExactly = (body: { challenge: string } & Record<string, unknown>): string =>
  composeBody(body, drawExactly);
