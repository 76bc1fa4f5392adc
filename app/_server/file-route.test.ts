import { expect, test, vi } from "vitest";

import { log } from "@/lib/platform/log";
import { fileAnswer, streamedFile } from "./file-route";

async function* inParts() {
  yield await Promise.resolve('"city"\r\n');
  yield await Promise.resolve('"São Paulo"\r\n');
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test("a spreadsheet is told that a CSV file is UTF-8, whether it is sent whole or in parts", async () => {
  for (const answer of [
    fileAnswer("reports.csv", "text/csv", '"city"\r\n"São Paulo"\r\n'),
    streamedFile({}, "reports.csv", "text/csv", inParts()),
  ]) {
    const bytes = await bytesOf(answer);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.subarray(3).toString()).toBe('"city"\r\n"São Paulo"\r\n');
  }
});

test("files of other kinds hold nothing but their text", async () => {
  expect((await bytesOf(fileAnswer("audit-log.jsonl", "application/json", "{}"))).toString()).toBe("{}");
});

test("an export that fails midway fails for its reader, and its query is in our log only", async () => {
  const cause = new Error("Failed query: select … params: ada@example.com");
  async function* broken() {
    yield await Promise.resolve('"city"\r\n');
    throw cause;
  }
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const failure: unknown = await bytesOf(streamedFile({ requestId: "req_1" }, "a.csv", "text/csv", broken())).catch(
    (error: unknown) => error,
  );
  expect(logged.mock.calls).toEqual([[{ err: cause, requestId: "req_1" }, "a file broke off"]]);
  logged.mockRestore();
  expect(failure).toEqual(new Error("The file of request req_1 could not be read to its end"));
});
