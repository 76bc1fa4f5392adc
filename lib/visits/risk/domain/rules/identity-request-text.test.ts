import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import type { RequestFacts, Visit } from "../visit";
import { identityRequestText } from "./identity-request-text";

const { chromium, firefox, epiphany } = CAPTURED;
const { braveWindows11, chromeAndroid, chromeWindows11, androidWebView } = DESCRIBED;

const named = (visit: Visit, change: (userAgent: string) => string): Visit =>
  withValues(visit, {}, { userAgent: change(visit.request.userAgent ?? "") });
const hinted = (visit: Visit, clientHints: RequestFacts["clientHints"]): Visit =>
  withValues(visit, {}, { clientHints: { ...visit.request.clientHints, ...clientHints } });

const CHANGES: [string, (userAgent: string) => string][] = [
  ["of a distribution", (text) => text.replace("X11; ", "X11; Ubuntu; ")],
  ["of another processor", (text) => text.replace("x86_64", "i686")],
  ["of a derivative", (text) => `${text} SeaMonkey/2.53.18`],
  ["written twice", (text) => `${text} ${text}`],
  ["written twice, as a list", (text) => `${text}, ${text}`],
  ["with a word behind it", (text) => `${text} Agency/98`],
];

test.each(
  Object.entries({ Chromium: chromium, Firefox: firefox, WebKitGTK: epiphany }).flatMap(([name, visit]) =>
    CHANGES.map(([what, change]) => [name, what, named(visit, change)] as const),
  ),
)("%s whose request has the user agent %s is SUSPICIOUS", (_name, _what, visit) => {
  expect(findingOf(identityRequestText, visit)?.status).toBe("SUSPICIOUS");
});

test.each<[string, RequestFacts["clientHints"]]>([
  ["mobile", { mobile: "?1" }],
  ["a malformed value of mobile", { mobile: "false" }],
  ["an unquoted platform", { platform: "Linux" }],
  ["a platform twice", { platform: '"Linux", "Linux"' }],
  ["an unknown platform", { platform: '"Plan 9"' }],
  ["brands twice", { brands: '"Not:A-Brand";v="8", "Chromium";v="156", "Not:A-Brand";v="8", "Chromium";v="156"' }],
  ["brands in another order", { brands: '"Chromium";v="156", "Not:A-Brand";v="8"' }],
  ["no brands in the header", { brands: "" }],
  ["brands of another form", { brands: "Chromium 156" }],
  ["another architecture", { architecture: '"arm"' }],
  ["another bitness", { bitness: '"32"' }],
  ["a model", { model: '"Pixel 9"' }],
  ["another full version", { fullVersionList: '"Not:A-Brand";v="8.0.0.0", "Chromium";v="156.0.1.2"' }],
])("Chromium whose request has %s in client hints is SUSPICIOUS", (_what, clientHints) => {
  const visit = withValues(chromium, { uaData: { architecture: "x86", bitness: "64", model: "" } });
  expect(findingOf(identityRequestText, hinted(visit, clientHints))?.status).toBe("SUSPICIOUS");
});

const japanese = withUserAgent(
  androidWebView,
  "Mozilla/5.0 (Linux; Android 14; 端末; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36",
);

test.each([
  ...Object.entries(CAPTURED).filter(([name]) => !name.startsWith("playwright") && !name.startsWith("selenium")),
  ...Object.entries(DESCRIBED),
  [
    "hints that a gateway wrote with other spaces",
    hinted(chromium, { brands: '"Not:A-Brand";v="8","Chromium"; v="156"' }),
  ],
  [
    "delegated hints",
    hinted(withValues(chromium, { uaData: { bitness: "64", model: "" } }), { bitness: '"64"', model: '""' }),
  ],
  ["a user agent with spaces around it", named(firefox, (text) => ` ${text} `)],
  ["a request without a user agent", withValues(firefox, {}, { userAgent: undefined })],
  ["a content network that writes its own name", named(chromium, () => "Amazon CloudFront")],
  ["the name of a program, which other rules find", named(chromium, () => "curl/8.5.0")],
  ["characters of another encoding", named(japanese, (text) => text.replace("端末", "ç«¯æ\u009c«"))],
  ["a phone that asks for the desktop site", named(chromeAndroid, () => chromium.request.userAgent ?? "")],
  ["Brave, which may hide its brand", hinted(braveWindows11, { brands: '"Brave";v="142", "Chromium";v="142"' })],
  ["a web view with an app's hints", hinted(androidWebView, { mobile: "?0" })],
  ["Chrome without a list of its versions", withValues(chromeWindows11, { uaData: { fullVersionList: undefined } })],
] as [string, Visit][])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityRequestText, visit)).toBeUndefined();
});
