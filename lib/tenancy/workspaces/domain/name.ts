import { composeText } from "@/lib/platform/storable";

const MAX_LENGTH = 80;

/** Controls, line ends, and characters that show nothing: they change the order of a text, or make two names look the same. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00ad\u180e\u200b\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffb]/u;
/** Joiners and variation selectors belong to emoji and to scripts whose letters they join; these are not. */
const IDLE_JOINER = /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\s])(?:[\ufe00-\ufe0f]|\u200c|\u200d)/u;
/** Tags of anything but a flag, whose black flag they follow. */
const HIDDEN_TAG = /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u;

/** A display name: trimmed, 1 to 80 characters, at least one visible, none that disguises it. */
export function parseName(text: string): string | undefined {
  const name = composeText(text, MAX_LENGTH);
  if (name === undefined) return undefined;
  const isClean = ![HIDDEN, IDLE_JOINER, HIDDEN_TAG].some((pattern) => pattern.test(name));
  const isVisible = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u.test(name);
  return isVisible && isClean ? name : undefined;
}
