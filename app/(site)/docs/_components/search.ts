/** A section of the documentation in search results. */
export type Section = { href: string; page: string; heading: string; text: string };

const FENCE = /^(```|~~~)/;
const HEADING = /^(#{1,3})\s+(.+?)\s*$/;

/** Id of a heading, built as GitHub does. */
const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]+/g, "")
    .replaceAll(/[>|#]+|-{3,}/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const LIST_MARK = /^\s*(?:[-*]|\d+\.)\s+/;

/** The sections of a page, each with the address of its heading. */
export function sectionsOf(page: { href: string; title: string }, markdown: string): Section[] {
  const sections: { heading: string; isTitle: boolean; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    const [, marks, heading] = (isCode ? undefined : HEADING.exec(line)) ?? [];
    if (heading !== undefined) sections.push({ heading: plain(heading), isTitle: marks === "#", lines: [] });
    else sections.at(-1)?.lines.push(isCode ? line : line.replace(LIST_MARK, ""));
  }
  return sections.map(({ heading, isTitle, lines }) => ({
    href: isTitle ? page.href : `${page.href}#${headingId(heading)}`,
    page: page.title,
    heading,
    text: plain(lines.join("\n")),
  }));
}

const MAX_HITS = 30;
const MAX_WORDS = 8;
const EXCERPT_LENGTH = 180;
const WEIGHT = { page: 4, heading: 8, text: 1 };

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

function weigh(section: Section, words: readonly string[]): number {
  const [page, heading, text] = [section.page, section.heading, section.text].map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const times = Math.min(5, (text?.split(word).length ?? 1) - 1);
    const found =
      (page?.includes(word) ? WEIGHT.page : 0) + (heading?.includes(word) ? WEIGHT.heading : 0) + times * WEIGHT.text;
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

function excerptOf(text: string, words: readonly string[]): string {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? "") - EXCERPT_LENGTH / 3);
  const start = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  if (start + EXCERPT_LENGTH >= text.length) return `${start > 0 ? "… " : ""}${text.slice(start)}`;
  const cut = text.slice(start, text.lastIndexOf(" ", start + EXCERPT_LENGTH));
  return `${start > 0 ? "… " : ""}${cut} …`;
}

export type Hit = Section & { excerpt: string };

/** The sections that contain every word of a query, best match first. */
export function searchSections(sections: readonly Section[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, weight: weigh(section, words) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_HITS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

/** A section as listed in the search dialog. */
export type FoundPlace = { href: string; label: string; note?: string };

const MAX_PLACES = 8;

/** The best matches of a query, each with the page that it is on. */
export const findPlaces = (sections: readonly Section[], query: string): FoundPlace[] =>
  searchSections(sections, query)
    .slice(0, MAX_PLACES)
    .map(({ href, heading, page }) => ({ href, label: heading, ...(heading !== page && { note: page }) }));
