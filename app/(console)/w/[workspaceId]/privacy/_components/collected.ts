import type { SignalName } from "@/lib/contract/signal-lists";

/** Description of each group of signals, for a privacy notice. */
export const COLLECTED: Record<SignalName, string> = {
  navigator: "Name and version of the browser as it states them, languages, number of processors, memory class",
  uaData: "The browser's structured description of itself: brands, platform, architecture, model of a phone",
  engine: "Which browser engine runs, judged by its behaviour",
  features: "Which features of the web platform the browser has",
  screen: "Size of screen and window, pixel density, colour depth, touch points",
  timezone: "Time zone and clock offset",
  locale: "How dates and numbers are written",
  fonts: "Which fonts of a fixed list are installed",
  canvas:
    "A hash of a picture that the browser draws, unless it adds noise to it, and the colours of squares that it is asked to draw",
  webgl: "Name and limits of the graphics processor, a hash of what it draws",
  audio: "Browser component before 0.3.0 only: a number that the audio engine computes; nothing is recorded or played",
  math: "Results of arithmetic functions that differ between engines",
  storage: "Which kinds of storage work; their contents are not read",
  automation: "Traces of browser automation",
  worker: "The same statements from a background thread, to compare",
  iframe: "The same statements from an empty frame, to compare",
  page: "Whether the page is secure and framed; not its address or content",
};

/** Sent by browsers with every request. */
export const RECEIVED = [
  "IP address, and what public data say about it: country, region, city, network, kind of connection",
  "Request headers that name the browser and its languages",
  "Origin of the page, and the surface that the page names",
];
