import { expect, test } from "vitest";

import { prefersMarkdown } from "./markdown";

test.each([
  [undefined, false],
  ["", false],
  ["*/*", false],
  // Chromium and curl.
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", false],
  ["text/markdown", true],
  ["Text/Markdown; charset=utf-8", true],
  ["text/markdown, text/html, */*", true],
  ["text/html;q=0.8, text/markdown", true],
  ["text/html, text/markdown;q=0.9", false],
  ["text/markdown;q=0", false],
  ["text/markdown;q=wrong", false],
  ["text/markdownish", false],
])("Accept: %s prefers Markdown: %s", (accept, expected) => {
  expect(prefersMarkdown(accept)).toBe(expected);
});
