import { expect, test } from "vitest";

import { pictureOf } from "./picture";

const firefox = { browser: "firefox", canvas: "", fonts: "1000", isMasked: false };

test("the canvas counts where it is drawn without noise, otherwise the fonts", () => {
  expect(pictureOf({ ...firefox, browser: "chrome", canvas: "0a1b" })).toBe("0a1b");
  expect(pictureOf(firefox)).not.toBe(pictureOf({ ...firefox, fonts: "1001" }));
});

test.each([
  ["a browser that shows everybody the same", { ...firefox, isMasked: true }],
  ["Brave, which hides fonts at random", { ...firefox, browser: "brave" }],
  ["fonts that could not be measured", { ...firefox, fonts: "" }],
])("%s has neither", (_name, shown) => {
  expect(pictureOf(shown)).toBe("");
});
