import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import { programName } from "./program-name";

const PROGRAMS = [
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.32.3",
  "Python-urllib/3.12",
  "Python/3.12 aiohttp/3.9.5",
  "node",
  "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
  "undici",
  "axios/1.7.2",
  "got (https://github.com/sindresorhus/got)",
  "Deno/2.1.0",
  "Go-http-client/2.0",
  "okhttp/4.12.0",
  "Java/17.0.2",
  "Apache-HttpClient/5.3 (Java/17.0.2)",
  "PostmanRuntime/7.39.0",
  "reqwest/0.12",
  "Scrapy/2.11.2 (+https://scrapy.org)",
  "ChatGPT-User",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/156.0.0.0 Safari/537.36",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "facebookexternalhit/1.1",
];

test.each(PROGRAMS)("%s is recognised as a program, in page or request", (userAgent) => {
  expect(findingOf(programName, withUserAgent(CAPTURED.chromium, userAgent))?.status).toBe("SUSPICIOUS");
  expect(findingOf(programName, withValues(CAPTURED.chromium, {}, { userAgent }))?.status).toBe("SUSPICIOUS");
});

test.each([
  ...Object.entries(DESCRIBED),
  ["chromium", CAPTURED.chromium] as const,
  ["epiphany", CAPTURED.epiphany] as const,
  [
    "a phone of Cubot",
    withUserAgent(
      DESCRIBED.chromeAndroid,
      "Mozilla/5.0 (Linux; Android 9; CUBOT X19 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0.0.0 Mobile Safari/537.36",
    ),
  ] as const,
  [
    "an app that names the library it loads pages with",
    withUserAgent(DESCRIBED.chromeAndroid, "Shop/5.1 (Linux; Android 14; Pixel 8) okhttp/4.12.0"),
  ] as const,
  ["a content network", withValues(CAPTURED.chromium, {}, { userAgent: "Amazon CloudFront" })] as const,
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(programName, visit)).toBeUndefined();
});
