/** A drawing context, as far as it measures text. */
type CanvasText = { font: string; measureText: (text: string) => { width: number } };

/**
 * One digit for each font: 1 where the width of a text changes because the font exists.
 * Self-contained: its source text also runs inside the worker.
 */
export const measureFonts = (context: CanvasText, fonts: readonly string[]) => {
  const measure = (families: string) => {
    context.font = `72px ${families}`;
    return context.measureText("mw").width;
  };
  const fallbackWidth = measure("serif");
  return fonts.map((font) => (measure(`"${font}",serif`) === fallbackWidth ? 0 : 1)).join("");
};
