import { expect, test } from "vitest";

import { fileAnswer } from "./session-route";

async function* inParts() {
  yield await Promise.resolve('"city"\r\n');
  yield await Promise.resolve('"São Paulo"\r\n');
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test("a spreadsheet is told that a CSV file is UTF-8, whether it is sent whole or in parts", async () => {
  for (const body of ['"city"\r\n"São Paulo"\r\n', inParts()]) {
    const bytes = await bytesOf(fileAnswer("reports.csv", "text/csv", body));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.subarray(3).toString()).toBe('"city"\r\n"São Paulo"\r\n');
  }
});

test("files of other kinds hold nothing but their text", async () => {
  expect((await bytesOf(fileAnswer("audit-log.jsonl", "application/json", "{}"))).toString()).toBe("{}");
});
