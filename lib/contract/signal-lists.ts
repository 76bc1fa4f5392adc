/**
 * The fixed lists behind the bitmaps that the browser component sends: digit n of a bitmap answers entry n here.
 * Does not import zod, because the component imports this file. Append only: an order, once published, never changes.
 */

/** Every signal group that a component has collected, in the order in which it does. */
export const SIGNAL_NAMES = [
  "worker",
  "audio",
  "uaData",
  "navigator",
  "page",
  "engine",
  "features",
  "screen",
  "timezone",
  "locale",
  "math",
  "storage",
  "automation",
  "webgl",
  "canvas",
  "iframe",
  "fonts",
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** Groups that the component stopped collecting with 0.3.0: no rule and no part of identity ever read them. */
export const RETIRED_SIGNALS = ["audio"] as const;
export type CollectedSignal = Exclude<SignalName, (typeof RETIRED_SIGNALS)[number]>;

/** Dated platform features, as paths from the global object. */
export const FEATURES = [
  "Array.prototype.toSorted",
  "Array.prototype.group",
  "Array.fromAsync",
  "Promise.withResolvers",
  "Promise.try",
  "Set.prototype.union",
  "Iterator.prototype.map",
  "RegExp.escape",
  "Math.f16round",
  "Uint8Array.fromBase64",
  "Error.isError",
  "Math.sumPrecise",
  "Map.prototype.getOrInsert",
  "Temporal.Now",
  "Intl.DurationFormat",
  "Atomics.pause",
  "WebAssembly.promising",
  "navigator.gpu",
  "documentPictureInPicture",
  "CSSStartingStyleRule",
  "ViewTransition",
  "EditContext",
  "PressureObserver",
  "CloseWatcher",
  "TrustedHTML",
  "CookieStore",
  "Highlight",
  "Notification",
  "SharedWorker",
  "navigator.bluetooth",
  "navigator.usb",
  "PaymentRequest",
  "RTCPeerConnection",
  "ApplePaySession",
] as const;

/**
 * Font families whose presence is measured: two or three that tell a system, and those that people and their software
 * add. Every look-up waits for another process of the browser, so families that only come together stand for each other.
 */
export const FONTS = [
  "Arial",
  "Calibri",
  "Comic Sans MS",
  "Consolas",
  "Segoe UI",
  "Tahoma",
  "Helvetica Neue",
  "Menlo",
  "Geneva",
  "SF Pro",
  "Gill Sans",
  "Futura",
  "Ubuntu",
  "DejaVu Sans",
  "Liberation Sans",
  "Noto Sans",
  "Cantarell",
  "Roboto",
  "Meiryo",
  "SimSun",
] as const;
export type Font = (typeof FONTS)[number];

/** Media features asked with `matchMedia`. Components before 0.3.0 ask five more, which nothing ever read. */
export const MEDIA_QUERIES = [
  "color-gamut:p3",
  "color-gamut:rec2020",
  "dynamic-range:high",
  "monochrome",
  "pointer:fine",
  "pointer:coarse",
  "any-pointer:fine",
  "any-pointer:coarse",
  "hover:hover",
  "any-hover:hover",
] as const;

/** WebGL limits, as parameter numbers: texture, renderbuffer, cube map, viewport width, vertex and fragment uniform vectors, vertex attributes. */
export const WEBGL_LIMITS = [0x0d33, 0x84e8, 0x851c, 0x0d3a, 0x8dfb, 0x8dfd, 0x8869] as const;

/** Built-in members that stealth tools like to replace, as `Interface.member`. */
export const NATIVE_MEMBERS = [
  "Navigator.webdriver",
  "Navigator.userAgent",
  "Navigator.platform",
  "Navigator.languages",
  "Navigator.hardwareConcurrency",
  "Navigator.deviceMemory",
  "Navigator.plugins",
  "Screen.width",
  "Function.toString",
  "Date.getTimezoneOffset",
  "HTMLCanvasElement.toDataURL",
  "CanvasRenderingContext2D.getImageData",
  "CanvasRenderingContext2D.measureText",
  "WebGLRenderingContext.getParameter",
  "HTMLIFrameElement.contentWindow",
] as const;
