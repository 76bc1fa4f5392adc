/** Larger answers are cut by clients, in the middle of the JSON. */
export const MAX_ANSWER_TOKENS = 10_000;

/** Words, digits by three, other signs in a row, and what is not ASCII. */
const PARTS = /[A-Za-z]+|\d{1,3}|[!-/:-@[-`{-~]+|[^\x00-\x7f]+/g;
const LETTERS_A_TOKEN = 4;
const SIGNS_A_TOKEN = 3;

const sizeOf = (part: string): number => {
  if (/^[A-Za-z]/.test(part)) return Math.ceil(part.length / LETTERS_A_TOKEN);
  if (/^\d/.test(part)) return 1;
  // Of what models saw seldom, each byte may be a token.
  return part.charCodeAt(0) > 0x7f ? new TextEncoder().encode(part).length : Math.ceil(part.length / SIGNS_A_TOKEN);
};

/** How many tokens a text has at most, in the vocabularies of today's models; JSON has about a third less. */
export const estimateTokens = (text: string): number =>
  (text.match(PARTS) ?? []).reduce((total, part) => total + sizeOf(part), 0);

/**
 * The text of an answer with as many items of a list, from the first, as it has room for.
 *
 * @param compose the answer with the first so many items, which says how to go on when these are not all
 */
export function fitAnswer(itemCount: number, compose: (kept: number) => object): string {
  const textOf = (kept: number) => JSON.stringify(compose(kept));
  const whole = textOf(itemCount);
  if (estimateTokens(whole) <= MAX_ANSWER_TOKENS) return whole;
  let [fits, most] = [0, itemCount];
  while (fits < most - 1) {
    const middle = Math.floor((fits + most) / 2);
    if (estimateTokens(textOf(middle)) <= MAX_ANSWER_TOKENS) fits = middle;
    else most = middle;
  }
  return textOf(fits);
}
