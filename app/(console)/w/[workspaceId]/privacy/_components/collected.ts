import type { SignalName } from "@/lib/contract/signal-lists";

/** Description of each group of signals, for a privacy notice. */
export const COLLECTED: Record<SignalName, string> = {
  navigator:
    "Name and version of browser and system as the browser states them, languages, number of processors, memory class, touch points, whether it shows PDF files, says that it is automated, and is Brave",
  uaData:
    "The browser's structured description of itself: brands and platform with their versions, architecture, model of a phone",
  engine: "Which browser engine runs, judged by its behaviour",
  features: "Which features of the web platform the browser has",
  screen:
    "Size of screen and window, pixel density, colour depth, and media features such as colour gamut and kind of pointer",
  timezone: "Time zone and clock offset",
  locale: "Locale in which dates and numbers are written",
  fonts: "Which fonts of a fixed list are installed",
  canvas:
    "A hash of a picture that the browser draws, whether it adds noise to pictures, and the colours of squares that it is asked to draw",
  webgl: "Name and limits of the graphics processor",
  audio: "Browser component before 0.3.0 only: a number that the audio engine computes; nothing is recorded or played",
  math: "Results of arithmetic functions that differ between engines",
  storage: "Which kinds of storage work; their contents are not read",
  automation:
    "Traces of browser automation: names that tools leave behind, replaced built-in functions, a watched console",
  worker: "The same statements and the name of the graphics processor from a background thread, to compare",
  iframe: "The same statements from an empty frame, to compare",
  page: "Whether the page is secure and framed; not its address or content",
};

/** Sent by browsers with every request. */
export const RECEIVED = [
  "IP address, and what public data say about it: country, region, city, network, kind of connection",
  "Request headers that name the browser and its languages",
  "Origin of the page, and the surface that the page names",
];
