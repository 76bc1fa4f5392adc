const MAX_CHARACTERS = 128;
const ADVICE = "send the immutable internal id of the account instead";

/** Digits with the blanks or parentheses of a written telephone number, or in the groups 3-3-4. */
const WRITTEN_NUMBER = /^(?=.*[ ()])[\d ()./-]+$|^\d{3}[-.]\d{3}[-.]\d{4}$/;
const FEWEST_DIGITS = 7;

const looksLikeTelephone = (reference: string) =>
  reference.startsWith("+") ||
  /^tel:/i.test(reference) ||
  (WRITTEN_NUMBER.test(reference) && reference.replaceAll(/\D/g, "").length >= FEWEST_DIGITS);

/**
 * Why a text may not be an account reference, as a sentence that does not repeat it; nothing when it may.
 * Plain digits are accepted: most internal ids are numbers.
 */
export function refuseAccountRef(reference: string): string | undefined {
  if (reference === "") return "The account reference is empty";
  if (reference.length > MAX_CHARACTERS) return `The account reference is longer than ${MAX_CHARACTERS} characters`;
  if (!/^[\x20-\x7e]+$/.test(reference)) return "The account reference has characters other than printable ASCII";
  if (/@|%40|^mailto:/i.test(reference)) return `The account reference looks like an e-mail address: ${ADVICE}`;
  if (looksLikeTelephone(reference)) return `The account reference looks like a telephone number: ${ADVICE}`;
  return undefined;
}
