const MAX_CHARACTERS = 60;
/** More than any name needs: composing a long run of combining marks takes quadratic time. */
const MAX_READ = 1_000;
/** Control and bidirectional characters, which would let a name imitate the surrounding text. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A client's name, made safe to display, or a default if it has none. */
export function shownName(name: unknown): string {
  const text =
    typeof name === "string"
      ? name.slice(0, MAX_READ).normalize("NFC").replaceAll(UNFIT, " ").replaceAll(/\s+/g, " ").trim()
      : "";
  if (text === "") return "A client without a name";
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join("").trim()}…` : text;
}
