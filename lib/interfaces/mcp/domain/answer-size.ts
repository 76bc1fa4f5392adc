/** Clients truncate larger answers, in the middle of the JSON. */
export const MAX_ANSWER_TOKENS = 10_000;

/** Words, groups of up to three digits, runs of other ASCII characters, and runs of non-ASCII characters. */
const PARTS = /[A-Za-z]+|\d{1,3}|[!-/:-@[-`{-~]+|[^\x00-\x7f]+/g;
const LETTERS_A_TOKEN = 4;
const SIGNS_A_TOKEN = 3;

const sizeOf = (part: string): number => {
  if (/^[A-Za-z]/.test(part)) return Math.ceil(part.length / LETTERS_A_TOKEN);
  if (/^\d/.test(part)) return 1;
  // In rarely seen text, each byte may be a token.
  return part.charCodeAt(0) > 0x7f ? new TextEncoder().encode(part).length : Math.ceil(part.length / SIGNS_A_TOKEN);
};

/** Upper bound of a text's tokens in the vocabularies of current models. JSON has about a third fewer. */
export const estimateTokens = (text: string): number =>
  (text.match(PARTS) ?? []).reduce((total, part) => total + sizeOf(part), 0);

/**
 * Serialises an answer with as many leading items of a list as fit.
 *
 * @param compose builds the answer with the first `kept` items; if those are not all, it says how to continue
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
