type RefusalKind =
  | "empty"
  | "whitespace"
  | "too_long"
  | "null"
  | "wildcard"
  | "bare_domain"
  | "file"
  | "extension"
  | "scheme"
  | "user_info"
  | "path"
  | "query"
  | "fragment"
  | "port"
  | "trailing_dot"
  | "host"
  | "not_canonical";

export type ParsedOrigin =
  | { ok: true; origin: string }
  | { ok: false; kind: RefusalKind; explanation: string; suggestion?: string };

const MAX_LENGTH = 300;
const EXTENSION_SCHEMES = /^(?:chrome|moz|safari|safari-web|ms-browser|edge|opera)-extension:/i;
const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };

const EXPLANATIONS: Record<RefusalKind, string> = {
  empty: "Enter an origin, such as https://shop.example.",
  whitespace: "An origin must not contain spaces, line breaks or control characters.",
  too_long: `An origin can have at most ${MAX_LENGTH} characters.`,
  null: "Browsers send `null` for sandboxed frames and local files; it does not identify a website.",
  wildcard:
    "Wildcards are not possible: origins match exactly. Add each origin separately, or use the command line if there are many.",
  bare_domain: "The scheme is missing: http and https are different origins.",
  file: "Pages opened from a file have no origin. Serve them from a web server, for example on http://localhost:8080.",
  extension: "Browser extensions are not websites: only http and https origins are possible.",
  scheme: "Only http and https origins are possible.",
  user_info: "An origin must not contain a user name or password.",
  path: "An origin ends after the host and port: browsers never send a path, not even a trailing slash.",
  query: "An origin must not contain a query string.",
  fragment: "An origin must not contain a fragment.",
  port: "The port must be a number from 1 to 65535.",
  trailing_dot: "The host ends with a dot. Browsers treat it as a different host from the one without the dot.",
  host: "The host is not a valid domain name or IP address.",
  not_canonical: "Browsers write this host in another form, so this origin would never match.",
};

/** A refusal, with the suggestion if that would be accepted itself. */
function refuse(kind: RefusalKind, suggestion?: string): ParsedOrigin {
  const explanation = EXPLANATIONS[kind];
  const isAcceptable = suggestion !== undefined && parseOrigin(suggestion).ok;
  return isAcceptable ? { ok: false, kind, explanation, suggestion } : { ok: false, kind, explanation };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The likely intended origin of an invalid text; undefined if there is none. */
function suggestOrigin(text: string): string | undefined {
  const url = parseUrl(text);
  if (!url || !(url.protocol in DEFAULT_PORTS) || url.hostname.endsWith(".")) return undefined;
  // URL parsing normalises full-width and small asterisks to `*`.
  if (url.hostname.includes("*")) return undefined;
  return url.origin;
}

/** The refusal of a text without an http or https scheme. */
function refuseScheme(text: string): ParsedOrigin | undefined {
  if (text === "") return refuse("empty");
  if (text.length > MAX_LENGTH) return refuse("too_long");
  const trimmed = text.trim();
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) {
    const parsed = trimmed === "" || trimmed === text ? undefined : parseOrigin(trimmed);
    return refuse("whitespace", parsed?.ok ? parsed.origin : undefined);
  }
  if (text.toLowerCase() === "null") return refuse("null");
  if (text.includes("*")) return refuse("wildcard");
  if (/^file:/i.test(text)) return refuse("file");
  if (EXTENSION_SCHEMES.test(text)) return refuse("extension");
  if (/^https?:\/\//i.test(text)) return undefined;
  const isOtherScheme = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(text);
  if (isOtherScheme) return refuse("scheme");
  return refuse("bare_domain", suggestOrigin(`https://${text.replace(/^\/+/, "")}`));
}

type Parts = { scheme: string; authority: string; rest: string };

function split(text: string): Parts {
  const schemeEnd = text.indexOf("://") + 3;
  const tail = text.slice(schemeEnd);
  const end = tail.search(/[/?#\\]/);
  return {
    scheme: text.slice(0, schemeEnd - 2).toLowerCase(),
    authority: end === -1 ? tail : tail.slice(0, end),
    rest: end === -1 ? "" : tail.slice(end),
  };
}

/** The port as written; `undefined` if there is no colon. Colons inside the brackets of an IPv6 literal do not count. */
const writtenPort = (authority: string): string | undefined => /:([^:\]]*)$/.exec(authority)?.[1];

function refuseParts(text: string, { scheme, authority, rest }: Parts): ParsedOrigin | undefined {
  const meant = suggestOrigin(text);
  if (authority.includes("@")) return refuse("user_info", meant);
  if (rest.startsWith("?")) return refuse("query", meant);
  if (rest.startsWith("#")) return refuse("fragment", meant);
  if (rest !== "") return refuse("path", meant);
  const port = writtenPort(authority);
  if (port !== undefined && (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535)) return refuse("port");
  const host = port === undefined ? authority : authority.slice(0, -port.length - 1);
  if (host.endsWith(".")) {
    const bare = parseOrigin(`${scheme}//${host.replace(/\.+$/, "")}${port === undefined ? "" : `:${port}`}`);
    return refuse("trailing_dot", bare.ok ? bare.origin : undefined);
  }
  if (!meant) return refuse("host");
  return undefined;
}

/** The authority without the scheme's default port, which browsers never send. */
const sentAuthority = ({ scheme, authority }: Parts): string => {
  const port = `:${DEFAULT_PORTS[scheme] ?? ""}`;
  return authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
};

/**
 * Parses exactly one http or https origin: scheme, lower-case host, port. The scheme's default port is accepted and removed:
 * the result is what a browser sends, so that origins can be matched by string comparison.
 * Spec: Authentication, rules 1 and 2.
 */
export function parseOrigin(text: string): ParsedOrigin {
  const refusedScheme = refuseScheme(text);
  if (refusedScheme) return refusedScheme;
  const parts = split(text);
  const refused = refuseParts(text, parts);
  if (refused) return refused;
  const url = parseUrl(text);
  if (!url) return refuse("host");
  // An internationalised domain is accepted in the form that browsers send; any other change by URL parsing is refused.
  const isAscii = /^[\x21-\x7e]*$/.test(text);
  if (isAscii && url.origin !== `${parts.scheme}//${sentAuthority(parts).toLowerCase()}`)
    return refuse("not_canonical", url.origin);
  return { ok: true, origin: url.origin };
}
