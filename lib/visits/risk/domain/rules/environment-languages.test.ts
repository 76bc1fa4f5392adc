import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import type { Visit } from "../visit";
import { environmentLanguages } from "./environment-languages";

const asking = (acceptLanguage: string | undefined, languages: string[], visit: Visit = CAPTURED.chromium) =>
  withValues(visit, { navigator: { languages } }, { acceptLanguage });

test("catches a page that reports none of the languages of its request as SUSPICIOUS", () => {
  expect(findingOf(environmentLanguages, asking("en-US,en;q=0.9", ["de-DE", "de"]))?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Chromium", CAPTURED.chromium],
  ["a private window that requests only the first language", asking("de", ["de-DE", "de", "en"])],
  ["another region of the language", asking("en-GB", ["en-US"])],
  ["a request without languages", asking(undefined, ["de"])],
  ["a request for any language", asking("*", ["de"])],
  ["a page that offers none", asking("de", [])],
  ["Brave, which requests English", asking("en-US,en;q=0.9", ["de"], DESCRIBED.braveWindows11)],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentLanguages, visit)).toBeUndefined();
});
