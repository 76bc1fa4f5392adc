/**
 * User agents of programs: HTTP libraries, and crawlers and agents that declare themselves. No browser used by a person
 * has one. Sources: each project's documentation of its default `User-Agent`.
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
  // Cubot is a phone manufacturer whose name appears in user agents.
  ["a bot or crawler", /(?<!\bcu)bot\b|\b(?:crawler|spider)\b|crawler\//i],
];

/** The program that a user agent names. Undefined for browsers and unknown names. */
export const programOf = (userAgent: string): string | undefined =>
  PROGRAMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
