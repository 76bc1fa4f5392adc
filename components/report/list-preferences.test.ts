import { expect, test } from "vitest";

import { DEFAULT_PREFERENCES, parsePreferences, preferencesText } from "./list-preferences";

test("what a person chose is understood again, in the order of the columns", () => {
  const chosen = { columns: ["surface", "app"], isAbsolute: true } as const;
  expect(parsePreferences(preferencesText(chosen))).toEqual(chosen);
  expect(parsePreferences("app.surface")).toEqual({ columns: ["surface", "app"], isAbsolute: false });
});

test("without a choice the usual columns are shown, and what is not known is left out", () => {
  expect(parsePreferences(undefined)).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences("password.<script>")).toEqual({ columns: [], isAbsolute: false });
});
