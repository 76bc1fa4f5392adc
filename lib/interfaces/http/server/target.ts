/** A request target: its path and query as sent, and the decoded path used for routing. */
export type Target = {
  /** Path and query with dot segments resolved, otherwise as sent. */
  url: string;
  pathname: string;
  /** Percent-decoded, with repeated slashes collapsed. Undefined if the encoding is invalid. */
  decoded: string | undefined;
};

const collapse = (pathname: string) => pathname.replace(/\/{2,}/g, "/");

function decode(pathname: string): string | undefined {
  try {
    return collapse(decodeURIComponent(pathname));
  } catch {
    return undefined;
  }
}

/** A path in canonical form: nothing to resolve, decode or collapse. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/** Parses the request target. Undefined for forms that no page or operation answers, such as `*`. */
export function parseTarget(requestUrl: string): Target | undefined {
  if (PLAIN_PATH.test(requestUrl)) return { url: requestUrl, pathname: requestUrl, decoded: requestUrl };
  const isAbsolute = /^https?:\/\//i.test(requestUrl);
  if (!isAbsolute && !requestUrl.startsWith("/")) return undefined;
  const text = isAbsolute ? requestUrl : `http://host${requestUrl}`;
  if (!URL.canParse(text)) return undefined;
  const { pathname, search } = new URL(text);
  return { url: pathname + search, pathname, decoded: decode(pathname) };
}

/** Whether `path` is `root` or below it. */
export const isUnder = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Whether a path names one of Next's internal error pages, which fail when requested directly. */
export const hasNoAddress = ({ pathname, decoded = pathname }: Target): boolean => /^\/_(?!next(?:\/|$))/.test(decoded);

export const SURFACES = ["health", "readiness", "api", "sessionApi", "page", "file", "unreadable"] as const;
export type Surface = (typeof SURFACES)[number];

/** Routes that Next serves itself: sign-in and the Console's own data. */
const SESSION_API = ["/api/auth", "/api/console"];
const OAUTH_DOCUMENTS = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"];
/** Everything below these is answered from the table of operations. */
const API_ROOTS = ["/api", "/mcp", "/oauth", ...OAUTH_DOCUMENTS.map((name) => `/.well-known/${name}`)];
/** A page for people below an API root. */
const API_PAGE = /^\/oauth\/consent\/[^/]+$/;
/** Roots of files, whose names may have no extension. */
const FILE_ROOTS = ["/_next", "/.well-known", "/v1"];

/**
 * The part of the service that answers. Decided by the decoded path, so that no spelling of an API path reaches Next's
 * router, which answers bad encodings, wrong methods and doubled slashes without the error envelope.
 */
export function surfaceOf({ pathname, decoded }: Target): Surface {
  if (pathname === "/healthz") return "health";
  if (pathname === "/readyz") return "readiness";
  const path = decoded ?? collapse(pathname);
  if (API_ROOTS.some((root) => isUnder(path, root))) {
    if (decoded !== pathname) return "api";
    if (SESSION_API.some((root) => path.startsWith(`${root}/`))) return "sessionApi";
    return API_PAGE.test(path) ? "page" : "api";
  }
  if (decoded === undefined) return "unreadable";
  const isFile = FILE_ROOTS.some((root) => isUnder(path, root)) || /\.[a-z0-9]+$/i.test(path);
  return isFile ? "file" : "page";
}
