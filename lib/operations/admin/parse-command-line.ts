import { Command as Program, CommanderError, InvalidArgumentError, Option as ProgramOption } from "commander";

import { AppError } from "@/lib/contract/errors";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import type { Command, NumberRange, Option, ParsedOptions } from "./command";

const JSON_OPTION: Option = { description: "Print one JSON object as one line" };

/** Values by option name; a switch has one empty value. */
type Values = Map<string, string[]>;

const flagsOf = (name: string, { value }: Option) => (value === undefined ? `--${name}` : `--${name} <${value}>`);

function toProgramOption(name: string, option: Option, values: Values, argv: readonly string[]): ProgramOption {
  const { description, isRepeatable = false, choices } = option;
  const programOption = new ProgramOption(
    flagsOf(name, option),
    isRepeatable ? `${description}; may be repeated` : description,
  );
  if (choices) programOption.choices(choices);
  return programOption.argParser((value: string | undefined) => {
    const before = values.get(name) ?? [];
    values.set(name, [...before, value ?? ""]);
    if (value === undefined) return;
    if (before.length > 0 && !isRepeatable) throw new InvalidArgumentError("It is given twice.");
    // `--name --json` lacks a value; `--name=--json` has one. An unset variable leaves an empty one.
    if (value.trim() === "" || (value.startsWith("--") && argv.includes(value)))
      throw new InvalidArgumentError("A value is missing.");
    if (choices && !choices.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  });
}

function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the command reads --${name} without requiring it`);
  return value;
}

function parseNumber(text: string, { min = 0, max = Infinity }: NumberRange): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}

function optionsOf(values: Values): ParsedOptions {
  const optional = (name: string) => values.get(name)?.[0];
  const parsed: ParsedOptions["parsed"] = (name, parse, mustBe) => {
    const text = optional(name);
    const value = text === undefined ? undefined : parse(text);
    if (text === undefined || value !== undefined) return value;
    throw new AppError("invalid_request", { message: `--${name} must be ${mustBe}` });
  };
  const optionalChoice = <T extends string>(name: string, choices: readonly T[]) =>
    choices.find((choice) => choice === optional(name));
  const optionalNumber = (name: string, range: NumberRange = {}) =>
    parsed(name, (text) => parseNumber(text, range), range.mustBe ?? "a whole number");
  return {
    text: (name) => required(name, optional(name)),
    optional,
    list: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
    choice: (name, choices) => required(name, optionalChoice(name, choices)),
    optionalChoice,
    number: (name, range) => required(name, optionalNumber(name, range)),
    optionalNumber,
    parsed,
  };
}

/** Joins a two-word command name into one argument. */
function joinName(argv: readonly string[], names: readonly string[]): string[] {
  const [first = "--help", second = "-", ...rest] = argv;
  const isJoined = !first.startsWith("-") && !second.startsWith("-") && first !== "help" && !names.includes(first);
  return isJoined ? [`${first} ${second}`, ...rest] : [first, ...argv.slice(1)];
}

/** `usage` is the message in `misuse` with suggestions, for a terminal. */
type Parsed = { command: Command; given: ParsedOptions } | { help: string } | { misuse: string; usage: string };

export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): Parsed {
  const written = { help: "", usage: "" };
  const program = new Program(ADMIN_COMMAND)
    .description("Manage this Imprint instance. The server may be running.")
    .configureOutput({
      writeOut: (text) => (written.help += text),
      writeErr: (text) => (written.usage += text),
    })
    .configureHelp({ subcommandTerm: (subprogram) => subprogram.name() })
    .exitOverride();
  let parsed: Parsed | undefined;
  for (const command of commands) {
    const values: Values = new Map();
    const options = Object.entries({ ...command.options, json: JSON_OPTION });
    const subprogram = new Program(command.name).description(command.summary).copyInheritedSettings(program);
    for (const [name, option] of options) subprogram.addOption(toProgramOption(name, option, values, argv));
    const required = options.filter(([, { isRequired }]) => isRequired);
    subprogram.usage([...required.map(([name, option]) => flagsOf(name, option)), "[options]"].join(" "));
    subprogram.showHelpAfterError().action(() => {
      // The library's mandatory options would hide the suggestion for a misspelt option.
      const missing = required.find(([name]) => !values.has(name));
      if (missing) subprogram.error(`error: required option '${flagsOf(...missing)}' not specified`);
      parsed = { command, given: optionsOf(values) };
    });
    program.addCommand(subprogram);
  }
  const names = commands.map(({ name }) => name);
  const ofGroup = names.filter((name) => name.startsWith(`${argv[0] ?? ""} `));
  program.showHelpAfterError(ofGroup.length > 0 ? `There are: ${ofGroup.join(", ")}.` : "--help lists all commands.");
  try {
    program.parse(joinName(argv, names), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { help: written.help };
    return { misuse: error.message.replace(/^error: /, "").replaceAll("\n", " "), usage: written.usage };
  }
  return parsed ?? { help: written.help };
}
