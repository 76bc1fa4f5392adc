import { NATIVE_MEMBERS } from "@/lib/contract/signal-lists";

import { attempt, texts } from "../read";

/** Names left by ChromeDriver, whatever its prefix, Playwright, Puppeteer, Selenium and PhantomJS; not `__pwa...`. */
const TOOL_NAMES =
  /^(\$?[a-z]{3}_\w{22}_|\$chrome_async|__(pw(?!a)|playwright|puppeteer|\$?webdriver|selenium|fxdriver|driver_)|_(phantom|[sS]elenium|WEBDRIVER)|call(ed)?(Phantom|Selenium)|domAutomation).*/gm;

const isBuiltIn = (code: object) =>
  !("prototype" in code) && Function.prototype.toString.call(code).includes("[native code]");

/** Built-in code has no `prototype`, hides its source, and throws a TypeError for an object of another kind. Throws for what is no code. */
const isNative = (path: string): boolean => {
  const [owner, member] = path.split(".") as [string, string];
  const scope: unknown = globalThis;
  const holder = (scope as Record<string, { prototype: object } | undefined>)[owner]?.prototype;
  const descriptor: { get?: unknown; value?: unknown } | undefined =
    holder && Object.getOwnPropertyDescriptor(holder, member);
  if (!descriptor) return true;
  const code = (descriptor.get ?? descriptor.value) as () => unknown;
  if (!isBuiltIn(code)) return false;
  try {
    Reflect.apply(code, {}, []);
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
};

/**
 * Something that serialises logged errors at once, such as an attached debugger or open developer tools. Nothing can be
 * said where the page has put a function of its own there, which may do that too: monitoring libraries report the console.
 */
const isConsoleWatched = () => {
  if (!isBuiltIn(console.debug)) return undefined;
  const holder = Error as { prepareStackTrace?: unknown };
  const before = holder.prepareStackTrace;
  let isRead = false;
  holder.prepareStackTrace = () => (isRead = true);
  console.debug(new Error());
  holder.prepareStackTrace = before;
  return isRead;
};

/** Traces of tools that drive a browser. Extensions and test set-ups of the site itself can leave some as well. */
export const readAutomation = () => ({
  globals: texts(
    [self, document]
      .flatMap((place) => Object.getOwnPropertyNames(place))
      .join("\n")
      .match(TOOL_NAMES) ?? [],
  ),
  attributes: texts(
    document.documentElement.getAttributeNames().filter((name) => /^(selenium|(web)?driver)$/.test(name)),
  ),
  hasHeadlessToken: /headless/i.test(navigator.userAgent),
  // Other engines than Blink never call it: there the line in the console would be for nothing.
  isConsoleWatched: eval.toString().length === 33 && attempt(isConsoleWatched),
  tampered: NATIVE_MEMBERS.filter((path) => !attempt(() => isNative(path))),
  navigatorProperties: texts(Object.getOwnPropertyNames(navigator)),
});
