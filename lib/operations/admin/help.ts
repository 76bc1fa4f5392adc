import type { Command, Option } from "./command";
import { optionsOf } from "./parse";

const PROGRAM = "npm run -s admin --";

const shape = (name: string, { value }: Option) => `--${name}${value === undefined ? "" : ` ${value}`}`;

function optionWord(name: string, option: Option): string {
  const word = shape(name, option) + (option.isRepeatable ? ` [--${name} …]` : "");
  return option.isRequired ? word : `[${word}]`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join("\n");
}

function describe({ description, choices, isRepeatable }: Option): string {
  const parts = [description, choices ? `One of ${choices.join(", ")}` : "", isRepeatable ? "May be repeated" : ""];
  return `${parts.filter((part) => part !== "").join(". ")}.`;
}

export function commandHelp(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const usage = [PROGRAM, command.name, ...options.map(([name, option]) => optionWord(name, option))].join(" ");
  const lines = options.map(([name, option]) => [shape(name, option), describe(option)] as const);
  return `${command.summary}\n\n${usage}\n\n${columns(lines)}\n`;
}

export function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }) => [name, summary] as const);
  return `Manage this Imprint instance, also beside a running server.\n\n${PROGRAM} COMMAND [options]\n\n${columns(lines)}\n\n${PROGRAM} COMMAND --help shows the options of a command.\n`;
}
