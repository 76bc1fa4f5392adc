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

/** Compares a generated file with its expected content, or writes it. */
function keep(file: string, expected: string) {
  if (process.env["IMPRINT_GENERATE"] === "true") writeFileSync(file, expected);
  else expect(readFileSync(file, "utf8")).toBe(expected);
}

test("the README lists every environment variable as the service reads it", () => {
  const [before, rest] = readFileSync("README.md", "utf8").split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error("README.md has lost the markers of its table");
  keep("README.md", `${before}${START}\n${table}\n${END}${after}`);
});

const EXAMPLE_HEAD = `# The settings of Imprint with their defaults, written by \`npm run generate\`. All are optional.
# Copy this file to .env, which git ignores, and start with: set -a; . ./.env; set +a; npm start
`;

const setting = ({ name, description, default: value = "" }: (typeof ENVIRONMENT_VARIABLES)[number]) =>
  `# ${description}\n# ${name}=${/[\s<>]/.test(value) ? `"${value}"` : value}\n`;

test(".env.example has every environment variable, and sets none", () => {
  keep(".env.example", [EXAMPLE_HEAD, ...ENVIRONMENT_VARIABLES.map(setting)].join("\n"));
  expect(readFileSync(".env.example", "utf8")).not.toMatch(/^[^#\n]/m);
});

test("every variable has a description and none is required", () => {
  for (const { name, description } of ENVIRONMENT_VARIABLES) expect(description.length, name).toBeGreaterThan(10);
  expect(baseUrl()).toBe("http://localhost:3000");
});
