const MAX_LENGTH = 80;

/** A display name: trimmed, 1 to 80 characters, at least one visible, no control or bidirectional formatting characters. */
export function parseName(text: string): string | undefined {
  const name = text.trim().normalize("NFC");
  const isClean = !/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(name);
  const isVisible = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u.test(name);
  return isVisible && name.length <= MAX_LENGTH && isClean ? name : undefined;
}
