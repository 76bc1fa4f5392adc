import { expect, test } from "vitest";

import { COMMANDS } from "./commands";
import { parseCommandLine } from "./parse-command-line";

test.each([
  ["workspce create", "Did you mean workspace create?"],
  ["workspace", "There are: workspace create, workspace list, workspace rename, workspace set-plan"],
  ["web-app delete", "There are: web-app create"],
  ["workspace create --nmae x", "Did you mean --name?"],
  ["workspace create", "option '--name <NAME>' not specified"],
  ["workspace create --name", "option '--name <NAME>' argument missing"],
  ["workspace create --name --json", "A value is missing."],
  ["workspace create --name=", "A value is missing."],
  ["backup --to ", "A value is missing."],
  ["workspace create --name a --name b", "It is given twice."],
  ["workspace create --name a b", "too many arguments for 'workspace create'"],
  ["workspace create --name a --plan prp", "Allowed choices are lite, pro, enterprise."],
  ["workspace create --name a --plan trial", "Allowed choices are lite, pro, enterprise."],
  ["workspace list --json=yes", "unknown option '--json=yes'"],
  ["workspace list --__proto__ x", "unknown option '--__proto__'"],
  ["constructor", "unknown command 'constructor'"],
  ["--json workspace list", "unknown option '--json'"],
])("%s is a usage error with suggestions", (line, text) => {
  const parsed = parseCommandLine(line.split(" "), COMMANDS);
  expect(parsed).toMatchObject({ usage: expect.stringContaining(text) as string });
  expect(parsed).toMatchObject({ misuse: expect.not.stringMatching(/^error|\n/) as string });
});

test("a value after an equals sign may look like an option", () => {
  const parsed = parseCommandLine(["workspace", "create", "--name=--json"], COMMANDS);
  expect("given" in parsed && [parsed.given.text("name"), parsed.given.has("json")]).toEqual(["--json", false]);
});
