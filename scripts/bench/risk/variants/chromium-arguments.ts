/** Root may not use Chromium's sandbox; nothing else here changes what a page can see. */
export const QUIET = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Graphics in software, as on a machine without a graphics card. */
export const SOFTWARE_GRAPHICS = ["--enable-unsafe-swiftshader"];
/** How people who hide start Chromium: without the flag that `navigator.webdriver` shows. */
export const NO_FLAG = ["--disable-blink-features=AutomationControlled"];
