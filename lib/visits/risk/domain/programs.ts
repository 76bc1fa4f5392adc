/**
 * Names under which programs ask for pages: libraries for requests, and crawlers and agents that say so. No browser of a
 * person has one. Sources: each project's own documentation of its default `User-Agent`.
 */
const PROGRAMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["curl", /^curl\//i],
  ["Wget", /^wget\//i],
  ["Python", /^(?:python|aiohttp|httpx)\b/i],
  ["Node.js", /^(?:node(?:-fetch|\.js)?|undici|axios|got|superagent)(?:$|[\s/(])/i],
  ["Deno", /^deno\//i],
  ["Bun", /^bun\//i],
  ["Go", /^(?:go-http-client|colly)\b/i],
  ["Java", /^(?:java|apache-httpclient|okhttp|jersey)\//i],
  ["Ruby", /^(?:ruby|faraday|typhoeus)\b/i],
  ["PHP", /^(?:php|guzzlehttp)\b/i],
  ["Perl", /^(?:libwww-perl|lwp)\b/i],
  ["Rust", /^(?:reqwest|hyper)\//i],
  [".NET", /^(?:restsharp|\.net)\b/i],
  ["Dart", /^dart\//i],
  ["Scrapy", /\bscrapy\//i],
  ["an API client", /^(?:postmanruntime|insomnia|httpie|k6|thunder client)\b/i],
  ["an AI agent", /\b(?:chatgpt|claude|perplexity|mistralai|gemini|meta-externalfetcher)-?user\b/i],
  ["a crawler of a social network", /\b(?:facebookexternalhit|meta-external(?:agent|fetcher))\b/i],
  ["Lighthouse", /\bchrome-lighthouse\b/i],
  // Cubot builds phones, whose user agents name them.
  ["a bot or crawler", /(?<!\bcu)bot\b|\b(?:crawler|spider)\b|crawler\//i],
];

const MAX_TEXT = 512;

/** The program that a user agent names; undefined for browsers and for what is not known. */
export const programOf = (userAgent: string): string | undefined =>
  PROGRAMS.find(([, pattern]) => pattern.test(userAgent.slice(0, MAX_TEXT)))?.[0];
