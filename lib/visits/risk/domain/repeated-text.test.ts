import { expect, test } from "vitest";

import { isRepeated } from "./repeated-text";

test.each(["*/*, */*", "en-US,en;q=0.9,en-US,en;q=0.9", "Mozilla/5.0 (X11) Mozilla/5.0 (X11)", "gzip; gzip", "abab"])(
  "%s is one text twice",
  (text) => {
    expect(isRepeated(text)).toBe(true);
  },
);

test.each(["", "*/*", "aa", "en-US,en;q=0.9", "gzip, deflate, br, zstd", "Mozilla/5.0 (X11) Mozilla/5.0 (X12)", ", "])(
  "%s is not",
  (text) => {
    expect(isRepeated(text)).toBe(false);
  },
);
