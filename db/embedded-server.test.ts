import { expect, test } from "vitest";

import { sharedMegabytes } from "./embedded-server";

const GIGABYTE = 1024 ** 3;

test.each([
  ["an eighth of the machine", 8 * GIGABYTE, 0, 1024],
  ["an eighth of what a container may use", 64 * GIGABYTE, 4 * GIGABYTE, 512],
  ["never less than PostgreSQL's own setting", GIGABYTE / 2, 0, 128],
  ["no more than two gigabytes", 256 * GIGABYTE, 0, 2048],
  ["a limit beyond the machine is none", 8 * GIGABYTE, 2 ** 63, 1024],
])("the embedded server keeps pages in %s", (_, totalBytes, allowedBytes, expected) => {
  expect(sharedMegabytes(totalBytes, allowedBytes)).toBe(expected);
});
