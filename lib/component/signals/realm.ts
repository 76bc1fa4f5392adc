import { flag, number, pick, text, texts, textUpTo } from "../read";

type Brand = { brand: string; version: string };
type UserAgentData = { brands: Brand[]; platform: string };

/** The global object of a page, an iframe or a worker, as far as `readRealm` reads it. */
export type Scope = {
  navigator: Record<string, unknown> & { userAgentData?: UserAgentData };
  Date: DateConstructor;
};

/** What a realm says about itself, unchecked. Self-contained: its source text also runs inside the worker. */
export const readRealm = (scope: Scope) => {
  const { navigator } = scope;
  const found: Record<string, unknown> = {
    // Not the zone's name: a realm's first use of Intl costs more than all the rest.
    timezoneOffset: new scope.Date().getTimezoneOffset(),
    brands: navigator.userAgentData?.brands,
    uaPlatform: navigator.userAgentData?.platform,
  };
  // Read one by one: they stand on the prototype, and the object itself cannot be sent to the page.
  for (const name of "userAgent platform languages hardwareConcurrency deviceMemory webdriver".split(" "))
    found[name] = navigator[name];
  return found;
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
