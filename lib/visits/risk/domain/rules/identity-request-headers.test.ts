import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { requestFacts } from "../request";
import type { Visit } from "../visit";
import { identityRequestHeaders } from "./identity-request-headers";

const { chromium, firefox, epiphany } = CAPTURED;
const chromeIos = withUserAgent(
  DESCRIBED.safariIphone,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1",
);
const PAGE = "https://shop.example";
type Headers = Record<string, string>;

const sentBy = (visit: Visit, headers: Headers): Visit => ({
  ...visit,
  request: requestFacts((name) => headers[name], Object.keys(headers)),
});
const userAgentOf = ({ request }: Visit) => request.userAgent ?? "";
const nodeFetch = (visit: Visit): Headers => ({
  host: "id.example",
  connection: "keep-alive",
  "user-agent": userAgentOf(visit),
  origin: PAGE,
  accept: "*/*",
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "accept-encoding": "gzip, deflate",
});
const curl = (visit: Visit): Headers => ({
  host: "id.example",
  "user-agent": userAgentOf(visit),
  accept: "*/*",
  origin: PAGE,
});
const bare = (visit: Visit): Headers => ({ host: "id.example", "user-agent": userAgentOf(visit), origin: PAGE });
const HINTS = { "sec-ch-ua": '"Chromium";v="156"', "sec-ch-ua-mobile": "?0", "sec-ch-ua-platform": '"Linux"' };
const FETCH = { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
const ORDINARY = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "accept-language": "en" };
const without = (name: string, headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));

/** Changes a request as intermediaries do. */
const forwarded = (headers: Headers): Headers => ({ ...headers, "x-forwarded-for": "192.0.2.1", via: "1.1 proxy" });

const full = (visit: Visit): Headers => ({
  host: "id.example",
  "user-agent": userAgentOf(visit),
  origin: PAGE,
  ...ORDINARY,
  ...FETCH,
});

test.each([
  ["Chromium, sent by node", sentBy(chromium, nodeFetch(chromium))],
  ["Chromium, sent by curl", sentBy(chromium, curl(chromium))],
  ["Chromium, sent with next to nothing", sentBy(chromium, bare(chromium))],
  ["Firefox, sent by node", sentBy(firefox, nodeFetch(firefox))],
  ["Firefox, sent by curl", sentBy(firefox, curl(firefox))],
  ["Safari, sent by node", sentBy(DESCRIBED.safariMac, nodeFetch(DESCRIBED.safariMac))],
  ["Chrome on an iPhone, sent by node", sentBy(chromeIos, nodeFetch(chromeIos))],
  ["an app's web view, sent by curl", sentBy(DESCRIBED.androidWebView, curl(DESCRIBED.androidWebView))],
  ["Firefox with the hints of Chromium", sentBy(firefox, { ...full(firefox), ...HINTS })],
  [
    "Chromium whose request is a navigation without hints",
    sentBy(chromium, { ...full(chromium), "sec-fetch-mode": "navigate" }),
  ],
  [
    "Chromium on plain http without any header of a browser",
    sentBy(chromium, { host: "id.example", "user-agent": userAgentOf(chromium), origin: "http://shop.example" }),
  ],
  [
    "Chromium without hints, in the order of another engine",
    sentBy(chromium, {
      ...bare(chromium),
      ...ORDINARY,
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-site",
    }),
  ],
  [
    "a page's own headers with Chromium's answers",
    sentBy(chromium, { ...full(chromium), ...HINTS, "sec-fetch-user": "?1" }),
  ],
  [
    "a page's own headers with Firefox's answers",
    sentBy(firefox, { ...full(firefox), "upgrade-insecure-requests": "1", priority: "u=0, i" }),
  ],
  ["a request that no page caused", sentBy(firefox, { ...full(firefox), "sec-fetch-site": "none" })],
  ["a request from a site of no kind", sentBy(firefox, { ...full(firefox), "sec-fetch-site": "shop.example" })],
  ["a request whose answer pages cannot read", sentBy(firefox, { ...full(firefox), "sec-fetch-mode": "no-cors" })],
  ["a request for a page", sentBy(chromium, { ...full(chromium), ...HINTS, "sec-fetch-dest": "document" })],
  ["Accept twice", sentBy(chromium, { ...full(chromium), ...HINTS, accept: "*/*, */*" })],
  ["Accept-Language twice", sentBy(firefox, { ...full(firefox), "accept-language": "en-US,en;q=0.9,en-US,en;q=0.9" })],
  ["Accept-Encoding twice", sentBy(firefox, { ...full(firefox), "accept-encoding": "gzip, deflate, gzip, deflate" })],
  [
    "the encodings and the priority of a library",
    sentBy(firefox, { ...full(firefox), "accept-encoding": "gzip, deflate", priority: "u=0" }),
  ],
  [
    "languages and Accept that no browser writes",
    sentBy(firefox, { ...full(firefox), "accept-language": "en-US;;q=3", accept: "application/json" }),
  ],
])("%s is SUSPICIOUS", (_name, visit) => {
  expect(findingOf(identityRequestHeaders, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
  ["private Firefox", CAPTURED.firefoxPrivate],
  ["Firefox that resists fingerprinting", CAPTURED.firefoxResistFingerprinting],
  ["WebKitGTK", epiphany],
  ["QtWebEngine 87, which has no hints", CAPTURED.falkon],
  ["qutebrowser, which orders its headers by itself", CAPTURED.qutebrowser],
  ["a request of which nothing is known", DESCRIBED.chromeWindows11],
  [
    "an extension that writes languages its own way",
    sentBy(firefox, { ...full(firefox), "accept-language": "DE, en;q=0.75" }),
  ],
  ["Firefox, which sends a priority", sentBy(firefox, { ...full(firefox), priority: "u=4" })],
  [
    "WebKitGTK built without Brotli, through an extension that changes Accept",
    sentBy(epiphany, { ...full(epiphany), "x-real-ip": "192.0.2.1", "accept-encoding": "gzip, deflate", accept: "" }),
  ],
  ["Chromium over HTTP/2", sentBy(chromium, { ...full(chromium), ...HINTS, priority: "u=1, i" })],
  [
    "a content network that encodes answers itself, and a site without Accept",
    sentBy(chromium, { ...full(chromium), ...HINTS, accept: "", "accept-encoding": "gzip", "cf-ray": "1" }),
  ],
  [
    "a proxy that adds Accept once more",
    sentBy(chromium, forwarded({ ...full(chromium), ...HINTS, accept: "*/*, */*" })),
  ],
  [
    "plain http, where less is encoded, through an extension that changes Accept",
    sentBy(chromium, {
      ...full(chromium),
      ...HINTS,
      origin: "http://shop.example",
      "accept-encoding": "gzip, deflate",
      accept: "",
    }),
  ],
  ["a policy that removes client hints", sentBy(chromium, full(chromium))],
  [
    "an extension that sets Accept-Language",
    sentBy(chromium, { "accept-language": "de", ...full(chromium), ...HINTS }),
  ],
  [
    "a proxy that sorts and a browser that lacks one header",
    sentBy(chromium, Object.fromEntries(Object.entries({ ...full(chromium), ...HINTS, accept: "" }).sort())),
  ],
  [
    "a proxy that drops Accept-Encoding",
    sentBy(chromium, forwarded(without("accept-encoding", { ...full(chromium), ...HINTS }))),
  ],
  [
    "a content network that passes little on",
    sentBy(chromium, { ...bare(chromium), via: "1.1 abc.cloudfront.net (CloudFront)", "x-amz-cf-id": "a" }),
  ],
  [
    "a browser on plain http, which sends neither hints nor metadata",
    sentBy(chromium, { ...bare(chromium), ...ORDINARY, origin: "http://shop.example" }),
  ],
  [
    "a browser on plain http behind a proxy that calls the service by its own name for it",
    sentBy(chromium, { ...bare(chromium), ...ORDINARY, host: "127.0.0.1:8080", origin: "http://shop.example" }),
  ],
  [
    "a browser from before them",
    withValues(sentBy(chromium, { ...bare(chromium), ...ORDINARY }), {
      navigator: {
        userAgent:
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.0.0 Safari/537.36",
      },
    }),
  ],
  ["an app's web view", sentBy(DESCRIBED.androidWebView, { ...bare(DESCRIBED.androidWebView), ...ORDINARY })],
  ["Chrome on an iPhone, which numbers itself", sentBy(chromeIos, { ...bare(chromeIos), ...ORDINARY })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityRequestHeaders, visit)).toBeUndefined();
});

test("the order of headers does not count if an intermediary is evident", () => {
  const headers = {
    ...bare(chromium),
    ...ORDINARY,
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "same-site",
  };
  expect(findingOf(identityRequestHeaders, sentBy(chromium, forwarded(headers)))).toBeUndefined();
});
