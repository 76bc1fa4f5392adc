import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { REGISTRY } from "./signals";

test("the documentation says of each signal what it contains", () => {
  const text = readFileSync("docs/component.md", "utf8");
  const section = text.split("\n## What is collected\n")[1]?.split("\n## ")[0] ?? "";
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(REGISTRY).sort());
});
