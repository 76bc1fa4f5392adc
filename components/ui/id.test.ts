import { expect, test } from "vitest";

import { shortId } from "./id";

test("random ids are abbreviated, and the ids of rules, which are words, are not", () => {
  expect(shortId(`imp_${"0123456789abcdef".repeat(2)}`)).toBe("imp_01234567…cdef");
  expect(shortId(`0x${"ab".repeat(20)}`)).toBe("0xababababab…abab");
  for (const name of ["environment.time-zone", "key_1"]) expect(shortId(name)).toBe(name);
});
