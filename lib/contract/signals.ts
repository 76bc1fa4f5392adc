import { z } from "zod";

import { SIGNAL_NAMES } from "./signal-lists";

/** Value of `v` in a submission body. Raised by changes that older components could not send. */
export const SIGNALS_VERSION = 1;

/** Maximum size of a submission body in UTF-8 bytes. */
export const SUBMISSION_MAX_BYTES = 16 * 1024;

const MAX_USER_AGENT = 512;
const MAX_GPU_TEXT = 256;
const MAX_TEXT = 128;

/**
 * Excludes NUL and lone surrogates, which PostgreSQL cannot store. Has no flag, since JSON Schema has none, and means the
 * same by code units as by code points, since validators differ. Each part starts with a character that the previous part
 * cannot match, so that matching is linear.
 */
export const STORABLE_TEXT = /^[^\u0000\uD800-\uDFFF]*(?:[\uD800-\uDBFF][\uDC00-\uDFFF][^\u0000\uD800-\uDFFF]*)*$/;

const text = (max: number) => z.string().max(max).regex(STORABLE_TEXT);
const shortText = text(MAX_TEXT).optional();
const number = z.number().optional();
const flag = z.boolean().optional();
const bitmap = z.string().regex(/^[01]{1,128}$/);
const texts = (maxItems: number) => z.array(text(MAX_TEXT)).max(maxItems);

/** A group that was read has a value; any other state says why there is none. */
const group = <T extends z.ZodType>(value: T) =>
  z
    .discriminatedUnion("state", [
      z.strictObject({ state: z.literal("ok"), value }),
      z.strictObject({ state: z.enum(["absent", "blocked", "timeout", "error"]) }),
    ])
    .optional();

const Brands = z
  .array(z.strictObject({ brand: text(64).optional(), version: text(32).optional() }))
  .max(8)
  .optional();

const Gpu = { vendor: text(MAX_GPU_TEXT).optional(), renderer: text(MAX_GPU_TEXT).optional() };

/** Values on which all JavaScript realms of a browser must agree. */
const realm = {
  userAgent: text(MAX_USER_AGENT).optional(),
  platform: shortText,
  languages: texts(16).optional(),
  hardwareConcurrency: number,
  deviceMemory: number,
  webdriver: flag,
  /** Minutes, positive west of Greenwich, at the time of the visit. Not in the `navigator` group: see `timezone`. */
  timezoneOffset: number,
};

/**
 * Observations of the browser component. All are claims of the page's browser: evidence to compare, never trusted.
 * A group that is missing altogether comes from a component older than the group.
 */
export const Signals = z.strictObject({
  worker: group(z.strictObject({ ...realm, ...Gpu, brands: Brands, uaPlatform: shortText })),
  /** Sum of the last 500 of 5,000 rendered frames; from components before 0.3.0. */
  audio: group(z.number()),
  uaData: group(
    z.strictObject({
      brands: Brands,
      fullVersionList: Brands,
      mobile: flag,
      platform: shortText,
      platformVersion: shortText,
      architecture: shortText,
      bitness: shortText,
      model: shortText,
    }),
  ),
  iframe: group(z.strictObject({ ...realm, isSelfWindow: flag })),
  navigator: group(
    z.strictObject({
      ...realm,
      language: shortText,
      vendor: shortText,
      productSub: shortText,
      oscpu: shortText,
      maxTouchPoints: number,
      cookieEnabled: flag,
      pdfViewerEnabled: flag,
      globalPrivacyControl: flag,
      isBrave: flag,
    }),
  ),
  page: group(z.strictObject({ isSecureContext: flag, isFramed: flag, hidden: flag })),
  engine: group(
    z.strictObject({
      family: z.enum(["blink", "gecko", "webkit", "unknown"]),
      evalLength: number,
      errorText: shortText,
      hasChromeObject: flag,
    }),
  ),
  /** Digits as in `FEATURES`. */
  features: group(bitmap),
  screen: group(
    z.strictObject({
      width: number,
      height: number,
      availWidth: number,
      availHeight: number,
      colorDepth: number,
      devicePixelRatio: number,
      outerWidth: number,
      outerHeight: number,
      innerWidth: number,
      innerHeight: number,
      /** Digits as in `MEDIA_QUERIES`. */
      media: bitmap,
    }),
  ),
  /** Offsets in minutes, positive west of Greenwich, as `Date.prototype.getTimezoneOffset`. */
  timezone: group(z.strictObject({ timeZone: shortText, january: number, july: number, now: number })),
  locale: group(z.strictObject({ locale: shortText })),
  math: group(z.array(z.number()).max(16)),
  storage: group(z.strictObject({ localStorage: flag, sessionStorage: flag, indexedDb: flag })),
  automation: group(
    z.strictObject({
      /** Names on `window` and `document` that automation tools leave behind. */
      globals: texts(16),
      /** Attributes of the root element that automation tools set. */
      attributes: texts(16),
      hasHeadlessToken: flag,
      /** `Error.prepareStackTrace` ran although an error was only logged: something serialises the console. */
      isConsoleWatched: flag,
      /** Entries of `NATIVE_MEMBERS` that are not the browser's own. */
      tampered: texts(16),
      /** Properties set on the `navigator` object itself; browsers keep theirs on the prototype. */
      navigatorProperties: texts(16),
    }),
  ),
  /** Limits as in `WEBGL_LIMITS`. */
  webgl: group(z.strictObject({ ...Gpu, limits: z.array(z.number()).max(16) })),
  canvas: group(
    z.strictObject({
      hash: z.string().regex(/^[0-9a-f]{16}$/),
      /** Whether drawing the same picture twice gave equal results. */
      isStable: z.boolean(),
      /** Wrong pixels among 256 of one solid fill. */
      solidFillErrors: z.number(),
    }),
  ),
  /** Digits as in `FONTS`. */
  fonts: group(bitmap),
});
export type Signals = z.infer<typeof Signals>;

const milliseconds = z.number().min(0).max(3_600_000);

/** Milliseconds since the start of the run: until everything was ready, until the challenge arrived, and for each group. */
export const Timings = z.strictObject({
  total: milliseconds,
  challenge: milliseconds,
  signals: z.partialRecord(z.enum(SIGNAL_NAMES), milliseconds).meta({ additionalProperties: false }),
});
export type Timings = z.infer<typeof Timings>;
