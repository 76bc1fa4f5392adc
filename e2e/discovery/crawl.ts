type Fetched = { status: number; body: string; type: string };

/** URLs in text: HTML and Markdown links, bare URLs, and JSON values. URL templates do not count. */
function addressesIn({ body, type }: Fetched, base: string): string[] {
  const found = type.includes("html")
    ? [...body.matchAll(/<a\b[^>]*?\bhref="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    : [
        ...[...body.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href),
        ...[...body.matchAll(/https?:\/\/[^\s"'`<>)\]]+/g)].map(([href]) => href.replace(/[.,;:]+$/, "")),
      ];
  return found
    .filter((href) => !/[{}$…]|%7B|NAME\.md|WORDS|CODE|^mailto:/.test(href))
    .map((href) => new URL(href, base).href);
}

/**
 * Follows every link of a service starting from some pages. Documentation pages are crawled; other targets are only
 * requested.
 *
 * @returns one line per broken link
 */
export async function findDeadLinks(url: string, starts: readonly string[]): Promise<{ seen: number; dead: string[] }> {
  const pages = new Map<string, Promise<Fetched>>();
  const get = (address: string): Promise<Fetched> => {
    const known = pages.get(address);
    if (known) return known;
    const asked = (async () => {
      const response = await fetch(address, { redirect: "manual" });
      const type = response.headers.get("content-type") ?? "";
      return { status: response.status, type, body: await response.text() };
    })();
    pages.set(address, asked);
    return asked;
  };
  const dead = new Set<string>();
  const waiting = starts.map((path) => url + path);
  const searched = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const page = at;
    if (searched.has(page)) continue;
    searched.add(page);
    const source = await get(page);
    if (source.status !== 200) dead.add(`${page}: ${source.status}`);
    for (const link of new Set(addressesIn(source, page))) {
      if (!link.startsWith(`${url}/`)) continue;
      const [address = "", anchor] = link.split("#");
      // Targets that do not accept GET, or need a credential or parameters, exist.
      const { status, body, type } = await get(address);
      if (status >= 400 && ![400, 401, 405].includes(status)) dead.add(`${page} -> ${link}: ${status}`);
      if (anchor !== undefined && type.includes("html") && !body.includes(`id="${decodeURIComponent(anchor)}"`))
        dead.add(`${page} -> ${link}: no such anchor`);
      if (/\/(docs|docs\/.*)$/.test(new URL(address).pathname) && status === 200) waiting.push(address);
    }
  }
  return { seen: pages.size, dead: [...dead] };
}
