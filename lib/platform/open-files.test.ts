import { expect, test } from "vitest";

import { readOpenFiles } from "./open-files";

const table = (limit: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${limit.padEnd(21)}${limit.padEnd(21)}files\n`;

test("connections leave room for the other files of a process, and half of a low limit", () => {
  expect(readOpenFiles(table("65536"))).toEqual({ limit: 65_536, connections: 65_336, isEnough: true });
  expect(readOpenFiles(table("1024"))).toEqual({ limit: 1_024, connections: 824, isEnough: true });
  expect(readOpenFiles(table("256"))).toEqual({ limit: 256, connections: 128, isEnough: false });
});

test("an unlimited or unknown number of open files limits no connections", () => {
  expect(readOpenFiles(table("unlimited"))).toBeUndefined();
  expect(readOpenFiles("")).toBeUndefined();
});
