import { expect, test } from "vitest";

import type { Row } from "./domain/table";
import { LongText, renderParts } from "./print-result";

/** Pages of rows, and how many rows were read when each part of the text came. */
function pagesOf(...pages: Row[][]) {
  let read = 0;
  async function* readPages() {
    for (const page of pages) {
      read += page.length;
      yield await Promise.resolve(page);
    }
  }
  return { pages: readPages(), readSoFar: () => read };
}

async function textOf(result: Row, isJson: boolean): Promise<string> {
  let text = "";
  for await (const part of renderParts(result, isJson)) text += part;
  return text;
}

test("a page is printed before the next one is read", async () => {
  const { pages, readSoFar } = pagesOf([{ id: 1 }, { id: 2 }], [{ id: 3 }]);
  const seen: string[] = [];
  for await (const part of renderParts({ name: "a", visits: pages }, true)) seen.push(`${readSoFar()} ${part}`);
  expect(seen).toEqual(['0 {"name":"a","visits":', "0 [", '2 {"id":1}', '2 ,{"id":2}', '3 ,{"id":3}', "3 ]", "3 }\n"]);
});

test("a list in pages is the same JSON as one in memory, also alone or empty", async () => {
  const pages: Row[][] = [[{ id: 1 }], [], [{ id: 2, more: [null, "é"] }]];
  const list = pages.flat();
  expect(await textOf({ name: "a", list: pagesOf(...pages).pages }, true)).toBe(
    await textOf({ name: "a", list }, true),
  );
  expect(await textOf({ list: pagesOf(...pages).pages }, true)).toBe(await textOf({ list }, true));
  expect(await textOf({ list: pagesOf().pages }, true)).toBe(await textOf({ list: [] }, true));
});

test("for people it is one table with one heading", async () => {
  const pages = pagesOf([{ id: 1, name: "long name" }], [{ id: 2, name: "b" }]).pages;
  const list = [
    { id: 1, name: "long name" },
    { id: 2, name: "b" },
  ];
  expect(await textOf({ total: 2, list: pages }, false)).toBe(await textOf({ total: 2, list }, false));
  expect(await textOf({ total: 0, list: pagesOf().pages }, false)).toBe(await textOf({ total: 0, list: [] }, false));
});

/** A text in parts, and how many were read when each part of the output came. */
function longText(...parts: string[]) {
  let read = 0;
  async function* readParts() {
    for (const part of parts) {
      read += 1;
      yield await Promise.resolve(part);
    }
  }
  return { text: new LongText(readParts()), readSoFar: () => read };
}

test("a part of a text is printed before the next one is read", async () => {
  const { text, readSoFar } = longText("<p>\n", '"a"</p>');
  const seen: string[] = [];
  for await (const part of renderParts({ name: "a", content: text }, true)) seen.push(`${readSoFar()} ${part}`);
  expect(seen).toEqual(['0 {"name":"a","content":', '0 "', "1 <p>\\n", '2 \\"a\\"</p>', '2 "', "2 }\n"]);
});

test("a text in parts is the same JSON as one in memory; for people its lines stay lines, without terminal escapes", async () => {
  const parts = ["time,device\r\n", "é \u{1f600}\t\u001b[2J\u200e,b\r\n"];
  expect(await textOf({ visits: 1, content: longText(...parts).text }, true)).toBe(
    await textOf({ visits: 1, content: parts.join("") }, true),
  );
  expect(await textOf({ visits: 1, content: longText(...parts).text }, false)).toBe(
    "visits: 1\ncontent:\ntime,device\r\né \u{1f600}\t?[2J?,b\r\n",
  );
  expect(await textOf({ content: longText().text }, false)).toBe("content:\n\n");
});
