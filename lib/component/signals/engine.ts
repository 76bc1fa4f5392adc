import { text } from "../read";

/** The message of reading a property of null: each engine words it in its own way. */
const nullErrorText = () => {
  try {
    return String((null as unknown as string)[0]);
  } catch (error) {
    return (error as Error).message;
  }
};

/** The engine by its behaviour, whatever the user agent says. */
export const readEngine = () => {
  // The source text of a built-in: 33 characters in Blink, 37 in WebKit and in Gecko, which is told by a property of its own.
  const evalLength = eval.toString().length;
  const byLength: Record<number, string> = { 33: "blink", 37: "webkit" };
  return {
    family: "mozInnerScreenX" in self ? "gecko" : (byLength[evalLength] ?? "unknown"),
    evalLength,
    errorText: text(nullErrorText()),
    hasChromeObject: "chrome" in self,
  };
};
