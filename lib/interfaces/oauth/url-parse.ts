type Parse = (url: string, base?: string) => URL | null;

/**
 * Polyfill of `URL.parse` (Node 22.1), the only thing that oidc-provider lacks in Node 20.19. Call it before the library
 * is loaded.
 */
export function ensureUrlParse(): void {
  if ("parse" in URL) return;
  const parse: Parse = (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  Object.assign(URL, { parse });
}
