type Parse = (url: string, base?: string) => URL | null;

/**
 * The authorization server's library calls `URL.parse`, which Node has from 22.1 on; all else that it needs is in
 * Node 20.19. Call this before the library is loaded.
 */
export function ensureUrlParse(): void {
  if ("parse" in URL) return;
  const parse: Parse = (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  Object.assign(URL, { parse });
}
