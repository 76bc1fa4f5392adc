const MAX_LENGTH = 80;

/** A name that people read: trimmed, 1 to 80 characters, no control or direction-changing characters. */
export function parseName(text: string): string | undefined {
  const name = text.trim().normalize("NFC");
  const isClean = !/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(name);
  return name.length > 0 && name.length <= MAX_LENGTH && isClean ? name : undefined;
}
