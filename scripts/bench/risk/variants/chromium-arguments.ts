/** Root cannot use Chromium's sandbox; nothing else here changes what a page can see. */
export const QUIET = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Software rendering, as on a machine without a graphics card. */
export const SOFTWARE_GRAPHICS = ["--enable-unsafe-swiftshader"];
/** The flag with which people who hide start Chromium, so that `navigator.webdriver` is false. */
export const NO_FLAG = ["--disable-blink-features=AutomationControlled"];
