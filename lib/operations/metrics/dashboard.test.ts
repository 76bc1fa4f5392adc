import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { DECLARED } from "@/lib/platform/metrics";
import { alertsOf } from "@/test/prometheus";
import { dashboard } from "./dashboard";

const RULES = "deploy/prometheus/imprint.rules.yml";
const DASHBOARD = "deploy/grafana/imprint.json";

const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bimprint_(?!url)[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""))),
];
const isDeclared = (name: string) => name in DECLARED;

test("rules and dashboard use only declared metrics, and the dashboard shows all of them (`npm run generate` rewrites it)", () => {
  const expected = `${JSON.stringify(dashboard(), undefined, 2)}\n`;
  if (process.env["IMPRINT_GENERATE"] === "true") writeFileSync(DASHBOARD, expected);
  const written = readFileSync(DASHBOARD, "utf8");
  expect(written).toBe(expected);
  const expressions = alertsOf(readFileSync(RULES, "utf8"))
    .map(({ expression }) => expression)
    .join("\n");
  expect(namesIn(expressions).filter((name) => !isDeclared(name))).toEqual([]);
  expect(namesIn(written).filter((name) => !isDeclared(name))).toEqual([]);
  expect(Object.keys(DECLARED).filter((name) => !namesIn(written).includes(name))).toEqual([]);
});

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.endsWith("declared.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));

test("every declared metric is set somewhere", () => {
  const code = ["lib", "server", "db"].flatMap(sources).join("\n");
  const isSet = (name: string) => new RegExp(String.raw`\.(count|observe|set)\(\s*"${name}"`).test(code);
  expect(Object.keys(DECLARED).filter((name) => !isSet(name))).toEqual([]);
});
