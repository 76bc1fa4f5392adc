const MAX_CHARACTERS = 128;
const ADVICE = "send the immutable internal id of the account instead";

/** Digits with the spaces or parentheses of a formatted telephone number, or grouped 3-3-4. */
const WRITTEN_NUMBER = /^(?=.*[ ()])[\d ()./-]+$|^\d{3}[-.]\d{3}[-.]\d{4}$/;
const FEWEST_DIGITS = 7;

const looksLikeTelephone = (reference: string) =>
  reference.startsWith("+") ||
  /^tel:/i.test(reference) ||
  (WRITTEN_NUMBER.test(reference) && reference.replaceAll(/\D/g, "").length >= FEWEST_DIGITS);

/**
 * Why a string cannot be an account reference, in a sentence that does not repeat it. Undefined if it can. Plain digits
 * are accepted, since most internal ids are numbers.
 */
export function refuseAccountRef(reference: string): string | undefined {
  if (reference === "") return "The account reference is empty";
  if (reference.length > MAX_CHARACTERS) return `The account reference is longer than ${MAX_CHARACTERS} characters`;
  if (!/^[\x20-\x7e]+$/.test(reference)) return "The account reference has characters other than printable ASCII";
  if (/@|%40|^mailto:/i.test(reference)) return `The account reference looks like an e-mail address: ${ADVICE}`;
  if (looksLikeTelephone(reference)) return `The account reference looks like a telephone number: ${ADVICE}`;
  return undefined;
}
