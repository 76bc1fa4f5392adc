import { type Draw, hostileText, isWellFormed } from "./draw";
import { headerText, type Pairs, pathText, type WireRequest } from "./wire";
import type { Fixtures } from "./fixtures";

type Kind = "api" | "mcp" | "oauth" | "page" | "action" | "auth" | "path";

/** A request before it is sent. */
export type FuzzRequest = WireRequest & {
  /** Row of the table that it counts in. */
  operation: string;
  kind: Kind;
  /** Whether the published document accepts it, and no constraint outside the document forbids it. */
  isAcceptable?: boolean;
  /** Set if the body needs a challenge, which is requested right before. */
  challenge?: { environmentId: string; origin: string };
};
export type Builder = (draw: Draw, fixtures: Fixtures) => FuzzRequest;

/** Placeholder in a body for the challenge requested on sending. */
export const CHALLENGE_MARK = "challenge-that-is-asked-for";

/** A random client IP per request, so that limits by IP do not hide what is behind them. */
const addressOf = (draw: Draw): string => `10.${draw.below(250)}.${draw.below(256)}.${draw.below(256)}`;

/** A path segment or query value, usually encoded as a client would. */
export const encode = (draw: Draw, text: string): string => {
  if (draw.chance(0.2)) return pathText(text);
  return isWellFormed(text) ? encodeURIComponent(text) : pathText(text);
};

export function queryText(draw: Draw, pairs: Pairs): string {
  const text = pairs.map(([name, value]) => `${encode(draw, name)}=${encode(draw, value)}`).join("&");
  return text === "" ? "" : `?${text}`;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE"];
const CONTENT_TYPES = [
  ...["application/json", "text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded"],
  ...[
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/x-component",
    "application/octet-stream",
    "x",
    "",
  ],
];

/** Headers that affect parsers, caches, proxies and frameworks. */
const ODD_HEADERS: readonly ((draw: Draw) => [string, string])[] = [
  (draw) => ["Content-Type", draw.pick(CONTENT_TYPES)],
  (draw) => [
    "Accept",
    draw.pick(["*/*", "text/html", "application/xml", "text/x-component", "application/json;q=x", "\u00ff"]),
  ],
  (draw) => ["Accept-Encoding", draw.pick(["identity;q=0", "br;q=9", "gzip, deflate, br, zstd", hostileText(draw)])],
  (draw) => ["Origin", draw.pick(["null", "https://evil.example", "https://shop.example/", hostileText(draw)])],
  (draw) => ["Host", draw.pick(["evil.example", "localhost:1", "", "a b", "[::1", "127.0.0.1"])],
  (draw) => [
    "X-Forwarded-For",
    draw.pick(["::1", "1.2.3.4, 5.6.7.8", "::ffff:1.2.3.4", "fe80::1%eth0", hostileText(draw)]),
  ],
  (draw) => [
    draw.pick(["X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"]),
    draw.pick(["evil.example", "host=evil", "x"]),
  ],
  (draw) => [
    "Cookie",
    draw.pick(["authjs.session-token=", "authjs.session-token=%E0%A4%A", "=;;=", "__proto__=1", hostileText(draw)]),
  ],
  (draw) => ["Authorization", draw.pick(["Bearer", "Bearer a b", "Basic !!!", "Digest x", hostileText(draw)])],
  (draw) => ["X-API-Key", hostileText(draw)],
  (draw) => ["X-Account-Ref", hostileText(draw)],
  (draw) => ["PAYMENT-SIGNATURE", draw.pick(["e30=", "bnVsbA==", "W10=", hostileText(draw)])],
  (draw) => ["User-Agent", hostileText(draw)],
  (draw) => ["Accept-Language", hostileText(draw)],
  (draw) => ["Sec-CH-UA", hostileText(draw)],
  (draw) => [
    draw.pick(["If-None-Match", "If-Modified-Since", "Range", "If-Match"]),
    draw.pick(["*", "bytes=0-0", "bytes=9-1", "x"]),
  ],
  (draw) => ["Next-Action", draw.pick(["x", "0".repeat(42), hostileText(draw)])],
  (draw) => ["Next-Router-State-Tree", draw.pick(["%5B%22%22%5D", "[", "%7B%7D", hostileText(draw)])],
  () => ["RSC", "1"],
  () => ["Next-Router-Prefetch", "1"],
  (draw) => [
    draw.pick(["X-Middleware-Subrequest", "X-Nextjs-Data", "X-Invoke-Path", "X-Matched-Path"]),
    hostileText(draw),
  ],
  (draw) => ["X-HTTP-Method-Override", draw.pick(METHODS)],
  (draw) => ["MCP-Protocol-Version", draw.pick(["2025-11-25", "2026-07-28", "1999-01-01", hostileText(draw)])],
  (draw) => ["X-Request-Id", hostileText(draw)],
  (draw) => [`X-${"a".repeat(60)}`, "b".repeat(draw.pick([100, 8_000, 17_000]))],
];

/** Adds an unexpected header, or duplicates one of its own. */
function oddHeaders(draw: Draw, headers: Pairs): Pairs {
  if (headers.length > 0 && draw.chance(0.25)) return [...headers, draw.pick(headers)];
  const [name, value] = draw.pick(ODD_HEADERS)(draw);
  const others = draw.chance(0.7) ? headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()) : headers;
  return [...others, [name, value]];
}

/** Other spellings of a path, and similar paths. */
function oddPath(draw: Draw, path: string): string {
  const [pathname = "", query = ""] = path.split(/(?=\?)/);
  const segments = pathname.split("/");
  const at = draw.below(segments.length);
  const hit = pathname.charAt(draw.below(pathname.length));
  const spellings: (() => string)[] = [
    () => `${pathname}/`,
    () => `/${pathname}`,
    () => pathname.replace(hit, `%${hit.charCodeAt(0).toString(16).padStart(2, "0")}`),
    () => segments.toSpliced(at, 0, "").join("/"),
    () => segments.toSpliced(Math.max(1, at), 0, draw.pick([".", "..", "%2e%2e", "%2f", "..;", "%5c..%5c"])).join("/"),
    () => segments.toSpliced(Math.max(1, at), 1, encode(draw, hostileText(draw))).join("/"),
    () => pathname + draw.pick([".html", ".json", ".js", ".rsc", ".txt", ";x=1", "%00", "%E0%A4%A", "\\", "~", "%20"]),
    () => pathname.toUpperCase(),
    () => `${pathname}/${encode(draw, hostileText(draw))}`,
    () => `http://${draw.pick(["localhost", "evil.example"])}${pathname}`,
    () => `${pathname}?${query.slice(1)}&${"a=1&".repeat(draw.pick([1, 300]))}`,
    () => `${pathname}?${encode(draw, hostileText(draw))}`,
  ];
  const spelled = draw.pick(spellings)();
  return pathText(spelled.includes("?") ? spelled : spelled + query).slice(0, 12_000) || "/";
}

/** Adds a client IP and, with some probability, an unexpected method, path or header. */
export function finish(draw: Draw, request: FuzzRequest, oddness: number): FuzzRequest {
  const headers: Pairs = [["X-Forwarded-For", addressOf(draw)], ...request.headers];
  const result: FuzzRequest = { ...request, headers };
  const isOdd = draw.chance(oddness);
  if (isOdd) {
    const kind = draw.below(10);
    if (kind < 5) result.headers = oddHeaders(draw, headers);
    else if (kind < 8) result.path = oddPath(draw, request.path);
    else result.method = draw.pick(METHODS);
  }
  result.path = pathText(result.path);
  result.headers = result.headers.map(([name, value]) => [name, headerText(value)]);
  if (isOdd) delete result.isAcceptable;
  return result;
}
