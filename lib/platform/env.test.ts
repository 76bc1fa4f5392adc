import { readFileSync, writeFileSync } from "node:fs";

import { expect, test } from "vitest";

import { baseUrl, ENVIRONMENT_VARIABLES } from "./env";

const [START, END] = [
  "<!-- environment variables: `npm run generate` rewrites this table -->",
  "<!-- end of environment variables -->",
];

const row = ({ name, description, default: value }: (typeof ENVIRONMENT_VARIABLES)[number]) =>
  `| \`${name}\` | ${value === undefined || value === "" ? "" : `\`${value}\``} | ${description} |`;

const table = ["| variable | default | meaning |", "|---|---|---|", ...ENVIRONMENT_VARIABLES.map(row)].join("\n");

test("the README lists every environment variable as the service reads it", () => {
  const readme = readFileSync("README.md", "utf8");
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error("README.md has lost the markers of its table");
  const expected = `${before}${START}\n${table}\n${END}${after}`;
  if (process.env["IMPRINT_GENERATE"] === "true") writeFileSync("README.md", expected);
  else expect(readme).toBe(expected);
});

test("every variable is explained and none is required", () => {
  for (const { name, description } of ENVIRONMENT_VARIABLES) expect(description.length, name).toBeGreaterThan(10);
  expect(baseUrl()).toBe("http://localhost:3000");
});
