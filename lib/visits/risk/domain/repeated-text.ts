const SEPARATORS = ["", " ", ",", ", ", ";", "; "] as const;
const MIN_LENGTH = 2;

const isTwice = (text: string, separator: string): boolean => {
  const half = (text.length - separator.length) / 2;
  return (
    half >= MIN_LENGTH &&
    Number.isInteger(half) &&
    text.startsWith(separator, half) &&
    text.endsWith(text.slice(0, half))
  );
};

/** Whether a text is one text twice, as programs write that add a header to the same header. */
export const isRepeated = (text: string): boolean => SEPARATORS.some((separator) => isTwice(text, separator));
