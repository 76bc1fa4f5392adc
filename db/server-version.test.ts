import { expect, test } from "vitest";

import { versionRefusal } from "./server-version";

test.each([
  [90_624, "9.6.24"],
  [130_014, "13.14"],
  [140_019, "14.19 (Debian 14.19-1.pgdg120+1)"],
])("server version %i is refused with the reason", (number, version) => {
  const refusal = versionRefusal({ number, version }) ?? "";
  expect(refusal).toContain(`PostgreSQL ${version} is too old: Imprint needs 15 or newer`);
  expect(refusal).toContain("DATABASE_URL");
});

test.each([150_000, 150_018, 180_004, 190_000])("server version %i is supported", (number) => {
  expect(versionRefusal({ number, version: "any" })).toBeUndefined();
});
