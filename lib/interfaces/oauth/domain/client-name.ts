const MAX_CHARACTERS = 60;
/** Control and direction-changing characters, with which a name could imitate the words around it. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The name that a client gives itself, fit to be shown; a text of our own when it gives none. */
export function shownName(name: unknown): string {
  const text =
    typeof name === "string" ? name.normalize("NFC").replaceAll(UNFIT, " ").replaceAll(/\s+/g, " ").trim() : "";
  if (text === "") return "A client without a name";
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join("").trim()}…` : text;
}
