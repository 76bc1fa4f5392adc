import { afterEach, expect, test, vi } from "vitest";

import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import { readScreen } from "./screen";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("sizes of screen and window, and one digit for each media feature", () => {
  vi.stubGlobal("screen", { width: 1920, height: 1080, colorDepth: 24 });
  vi.stubGlobal("self", { devicePixelRatio: 1.5, innerWidth: 800 });
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(hover:hover)" }));

  const { media, ...sizes } = readScreen();

  expect(sizes).toMatchObject({ width: 1920, height: 1080, colorDepth: 24, devicePixelRatio: 1.5, innerWidth: 800 });
  expect(media).toBe(MEDIA_QUERIES.map((query) => (query === "hover:hover" ? 1 : 0)).join(""));
});

test("a page without matchMedia has no media feature, and its sizes all the same", () => {
  vi.stubGlobal("screen", { width: 1 });
  vi.stubGlobal("self", {});

  expect(readScreen()).toMatchObject({ width: 1, media: "0".repeat(MEDIA_QUERIES.length) });
});
