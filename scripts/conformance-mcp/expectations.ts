import fs from "node:fs";
import path from "node:path";

import { parse } from "yaml";
import { z } from "zod";

import { ROOT } from "../build/layout.mjs";

const List = z.object({ server: z.array(z.string()) });

export const listPath = (name: string): string => path.join(ROOT, "scripts/conformance-mcp", `${name}.yml`);

/** Scenarios that are expected to fail. */
const readList = (name: string): string[] => List.parse(parse(fs.readFileSync(listPath(name), "utf8"))).server;

/** Outcome of each scenario in the suite's output; the suite prints its results twice. */
export const readScenarios = (output: string): Map<string, "passed" | "failed"> =>
  new Map(
    [...output.matchAll(/^\s*([✓✗]) ([\w-]+): \d+ passed, \d+ failed$/gmu)].map(([, mark, name = ""]) => [
      name,
      mark === "✓" ? "passed" : "failed",
    ]),
  );

/**
 * Deviations from the lists, beyond what the suite itself compares: it ignores scenarios that do not count for the
 * score.
 *
 * @param fixtures the run of the same revision with the suite's fixtures
 */
export function findSurprises(
  name: string,
  scenarios: ReadonlyMap<string, "passed" | "failed">,
  fixtures?: { name: string; scenarios: ReadonlyMap<string, "passed" | "failed"> },
): string[] {
  const listed = readList(name);
  const excluded = fixtures ? readList(fixtures.name) : [];
  return [
    ...(scenarios.size === 0 ? ["the suite ran nothing"] : []),
    ...[...scenarios]
      .filter(([scenario, end]) => end === "failed" && !listed.includes(scenario))
      .map(([s]) => `${s} fails`),
    ...listed.filter((scenario) => !scenarios.has(scenario)).map((scenario) => `${scenario} was not run`),
    ...(fixtures ? listed.filter((scenario) => !excluded.includes(scenario)) : [])
      .filter((scenario) => fixtures?.scenarios.get(scenario) !== "passed")
      .map((scenario) => `${scenario} neither passes with the fixtures nor is excluded there`),
  ];
}
