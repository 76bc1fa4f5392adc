import { flag, number, pick, text, texts, textUpTo } from "../read";

type Brand = { brand: string; version: string };
type UserAgentData = { brands: Brand[]; platform: string };

/** The global object of a page, an iframe or a worker, as far as `readRealm` reads it. */
export type Scope = {
  navigator: Navigator & { deviceMemory?: number; userAgentData?: UserAgentData };
  Date: DateConstructor;
};

/** What a realm says about itself, unchecked. Self-contained: its source text also runs inside the worker. */
export const readRealm = (scope: Scope) => {
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory, webdriver, userAgentData } =
    scope.navigator;
  return {
    userAgent,
    platform,
    languages,
    hardwareConcurrency,
    deviceMemory,
    webdriver,
    // Not the zone's name: a realm's first use of Intl costs more than all the rest.
    timezoneOffset: new scope.Date().getTimezoneOffset(),
    brands: userAgentData?.brands,
    uaPlatform: userAgentData?.platform,
  };
};

/** The checked values that every realm of one browser shares. */
export const realm = (raw: unknown) => ({
  ...pick(raw, textUpTo(512), "userAgent"),
  ...pick(raw, text, "platform"),
  ...pick(raw, texts, "languages"),
  ...pick(raw, number, "hardwareConcurrency deviceMemory timezoneOffset"),
  ...pick(raw, flag, "webdriver"),
});

export const brands = (value: unknown) =>
  Array.isArray(value)
    ? value.slice(0, 8).map((item) => ({
        ...pick(item, textUpTo(64), "brand"),
        ...pick(item, textUpTo(32), "version"),
      }))
    : undefined;

/** Taking a frame or a worker down keeps the browser as busy as making one: it waits until the run is over. */
export const removeLater = (remove: () => void) => setTimeout(remove, 300);
