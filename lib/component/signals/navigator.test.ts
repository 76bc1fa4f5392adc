import { afterEach, expect, test, vi } from "vitest";

import { readNavigator } from "./navigator";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("each property is reported as the page sees it", () => {
  vi.stubGlobal("navigator", {
    userAgent: "UA",
    languages: ["fr", "en"],
    webdriver: true,
    maxTouchPoints: 5,
    brave: {},
  });

  expect(readNavigator()).toEqual({
    userAgent: "UA",
    languages: ["fr", "en"],
    webdriver: true,
    maxTouchPoints: 5,
    isBrave: true,
  });
});

test("a getter that throws or a value of the wrong kind leaves only its own field empty", () => {
  vi.stubGlobal("navigator", {
    get userAgent(): string {
      throw new Error("no");
    },
    webdriver: "false",
    hardwareConcurrency: Infinity,
    platform: "Win32",
  });

  expect(readNavigator()).toEqual({ platform: "Win32", isBrave: false });
});
