/** What a browser shows of pictures and fonts. Empty if unknown; the canvas also if the browser adds noise to it. */
type Shown = { browser: string; canvas: string; fonts: string; isMasked: boolean };

/**
 * What machines of one kind share in a few variants, and what someone who replays a visit changes first: the canvas,
 * or the fonts where the canvas says nothing. Empty if the browser shows every page something else.
 *
 * Source: Brave, 'Fingerprinting protections': fonts that people installed are hidden at random, per session and site.
 */
export const pictureOf = ({ browser, canvas, fonts, isMasked }: Shown): string => {
  if (canvas !== "") return canvas;
  return fonts === "" || isMasked || browser === "brave" ? "" : `fonts ${fonts}`;
};
