import { parseArgs } from "node:util";

import type { Command, Given, Option } from "./command";
import { nearest } from "./domain/nearest";
import { UsageError } from "./usage-error";

type Call = { command: Command; given: Given; isJson: boolean } | { help: Command | undefined; isJson: boolean };

const GLOBAL_OPTIONS: Record<string, Option> = {
  json: { description: "Print one JSON object as one line" },
  help: { description: "Show this help" },
};

export const optionsOf = (command: Command): Record<string, Option> => ({ ...command.options, ...GLOBAL_OPTIONS });

const hint = (typed: string, known: readonly string[], prefix = "") => {
  const meant = nearest(typed, known);
  return meant === undefined ? "" : ` Did you mean ${prefix}${meant}?`;
};

function findCommand(words: readonly string[], commands: readonly Command[]): Command {
  const typed = words.slice(0, 2).join(" ");
  const command = commands.find(({ name }) => name === typed) ?? commands.find(({ name }) => name === words[0]);
  if (command) return command;
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${words[0] ?? ""} `)).map(({ name }) => name);
  if (ofGroup.length > 0 && words.length < 2)
    throw new UsageError(`"${typed}" needs one more word: ${ofGroup.join(", ")}.`);
  const known = ofGroup.length > 0 ? `There are: ${ofGroup.join(", ")}.` : "--help lists all commands.";
  throw new UsageError(
    `There is no command "${typed}".${hint(
      typed,
      commands.map(({ name }) => name),
    )} ${known}`,
  );
}

type Token = ReturnType<typeof tokenize>[number];

function tokenize(argv: readonly string[], options: Record<string, Option>) {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(
        ([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }] as const,
      ),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function readOptions(tokens: readonly Token[], options: Record<string, Option>): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      const known = Object.keys(options);
      throw new UsageError(
        `There is no option ${token.rawName}.${hint(token.name, known, "--")} There are: ${known.map((name) => `--${name}`).join(", ")}.`,
      );
    }
    const { name, value } = token;
    const isMissing =
      option.value !== undefined && (value === undefined || (!token.inlineValue && value.startsWith("--")));
    if (isMissing) throw new UsageError(`--${name} needs a value: --${name} ${option.value ?? ""}.`);
    if (option.value === undefined && value !== undefined) throw new UsageError(`--${name} takes no value.`);
    const before = values.get(name) ?? [];
    if (before.length > 0 && !option.isRepeatable) throw new UsageError(`--${name} is given twice.`);
    values.set(name, [...before, value ?? ""]);
  }
  return values;
}

function checkValues(values: Map<string, string[]>, options: Record<string, Option>): void {
  for (const [name, { isRequired, choices, value }] of Object.entries(options)) {
    const given = values.get(name);
    if (isRequired && !given) throw new UsageError(`--${name} ${value ?? ""} is missing.`);
    const wrong = choices && given?.find((text) => !choices.includes(text));
    if (wrong !== undefined) {
      throw new UsageError(
        `--${name} cannot be "${wrong}".${hint(wrong, choices ?? [])} It is one of: ${(choices ?? []).join(", ")}.`,
      );
    }
  }
}

const givenOf = (values: Map<string, string[]>): Given => ({
  text(name) {
    const [value] = values.get(name) ?? [];
    if (value === undefined) throw new Error(`the command reads --${name}, which it does not require`);
    return value;
  },
  optional: (name) => values.get(name)?.[0],
  list: (name) => values.get(name) ?? [],
  has: (name) => values.has(name),
});

/**
 * What a command line asks for.
 *
 * @throws UsageError
 */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): Call {
  const firstOption = argv.findIndex((word) => word.startsWith("-"));
  const words = firstOption === -1 ? argv : argv.slice(0, firstOption);
  const isJson = argv.includes("--json");
  const wantsHelp = argv.includes("--help") || argv.includes("-h");
  if (words.length === 0 || words[0] === "help") return { help: undefined, isJson };
  const command = findCommand(words, commands);
  if (wantsHelp) return { help: command, isJson };
  const options = optionsOf(command);
  const tokens = tokenize(argv.slice(command.name.split(" ").length), options);
  const values = readOptions(tokens, options);
  const stray = tokens.find((token) => token.kind === "positional");
  if (stray?.kind === "positional") throw new UsageError(`"${stray.value}" does not belong to ${command.name}.`);
  checkValues(values, options);
  return { command, given: givenOf(values), isJson };
}
