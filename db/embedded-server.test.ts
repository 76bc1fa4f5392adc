import { expect, test } from "vitest";

import { sharedMegabytes } from "./embedded-server";

const GIGABYTE = 1024 ** 3;

test.each([
  ["an eighth of the machine", 8 * GIGABYTE, 0, 1024],
  ["an eighth of a container's memory limit", 64 * GIGABYTE, 4 * GIGABYTE, 512],
  ["at least PostgreSQL's default", GIGABYTE / 2, 0, 128],
  ["at most two gigabytes", 256 * GIGABYTE, 0, 2048],
  ["a limit above the physical memory is ignored", 8 * GIGABYTE, 2 ** 63, 1024],
])("shared_buffers of the embedded server: %s", (_, totalBytes, allowedBytes, expected) => {
  expect(sharedMegabytes(totalBytes, allowedBytes)).toBe(expected);
});
