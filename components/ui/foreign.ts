/** Letters written from right to left, and the characters that control direction. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Bidi_Control}]/u;
/** Shown as the sign of a character that cannot be shown: they end an isolation, or make `gnp.exe` read `exe.png`. */
const CONTROLS = /\p{Bidi_Control}/gu;
const AS_WRITTEN = "\u2068";
const LEFT_TO_RIGHT = "\u2066";
const END = "\u2069";

/** What `foreign` returns: isolated as a whole, with nothing inside that ends the isolation. */
const ISOLATED = /^[\u2066\u2068]\P{Bidi_Control}*\u2069$/u;

/** A text as a person can type it: without what controls direction, its accents composed as keyboards do. */
export const typeable = (text: string): string => text.replaceAll(CONTROLS, "").trim().normalize();

/**
 * A text that others wrote, for use within a sentence of ours: isolated, so that one written from right to left moves
 * neither digits nor punctuation around it, and without characters that would turn it around. Addresses of mail and of
 * the web keep their order from left to right. A text that is isolated already stays as it is.
 */
export function foreign(text: string): string {
  if (!RIGHT_TO_LEFT.test(text) || ISOLATED.test(text)) return text;
  const isAddress = !/\s/.test(text) && /.(?:@|:\/\/)./u.test(text);
  return `${isAddress ? LEFT_TO_RIGHT : AS_WRITTEN}${text.replaceAll(CONTROLS, "\ufffd")}${END}`;
}
