import { readdirSync, readFileSync } from "node:fs";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import { expect, test } from "vitest";

import { searchSections, sectionsOf } from "./search";

const page = { href: "/docs/x", title: "Keys" };

test("a section is found by all of the words, a heading before a text, and not when a word is missing", () => {
  const sections = sectionsOf(
    page,
    "# Keys\n\nOf servers.\n\n## Rotate a key\n\nIt *overlaps* with the [old](/x) one.\n\n## Other\n\nTo rotate, see above.\n",
  );
  expect(searchSections(sections, "ROTATE").map(({ href }) => href)).toEqual(["/docs/x#rotate-a-key", "/docs/x#other"]);
  expect(searchSections(sections, "rotate old")).toMatchObject([{ excerpt: "It overlaps with the old one." }]);
  expect(searchSections(sections, "rotate elephant")).toEqual([]);
  expect(searchSections(sections, "  ")).toEqual([]);
});

test("headings inside code are text, and the markup of lists and code is left out", () => {
  const markdown = "# A\n```bash\n# not a heading\n```\n\n- one\n2. two\n";
  expect(sectionsOf(page, markdown)).toEqual([
    { href: page.href, page: page.title, heading: "A", text: "not a heading one two" },
  ]);
});

const files = readdirSync("docs").filter((name) => name.endsWith(".md"));

test.each(files)("the address of every section of %s is one of the rendered page", (file) => {
  const text = readFileSync(`docs/${file}`, "utf8");
  const html = renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSlug], children: text }),
  );
  const missing = sectionsOf(page, text)
    .map(({ href }) => href.split("#")[1])
    .filter((id) => id !== undefined && !html.includes(`id="${id}"`));
  expect(missing).toEqual([]);
});
