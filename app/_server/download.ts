const FILE = /^\/(w\/ws_[0-9a-f]{32})\/./;

/** URL of the page that saves the file at a URL of the Console. */
export const downloadHref = (file: string): string => `/download?of=${encodeURIComponent(file)}`;

/** The URL of a file of the Console, and of its workspace; undefined for any other URL. */
export function fileOf(of: unknown): { file: string; home: string } | undefined {
  if (typeof of !== "string" || !URL.canParse(of, "http://page")) return undefined;
  const { origin, pathname, search } = new URL(of, "http://page");
  const home = FILE.exec(pathname)?.[1];
  return origin === "http://page" && home !== undefined ? { file: pathname + search, home: `/${home}` } : undefined;
}
