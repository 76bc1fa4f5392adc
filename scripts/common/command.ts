import { inspect, parseArgs, type ParseArgsConfig } from "node:util";

type NodeOption = NonNullable<ParseArgsConfig["options"]>[string];
/** A whole number, at least `min` (default 1); `numbers` is a comma-separated list. */
type NumberOption = { type: "number"; default?: number; min?: number } | { type: "numbers"; default: string };
/** `about` is the option's help text; `value` names its argument, N for a number. */
type Options = Record<string, (NodeOption | NumberOption) & { about: string; value?: string }>;

type Parsed<O> = O extends { type: "numbers" }
  ? number[]
  : O extends { type: "number" }
    ? number
    : O extends { type: "boolean" }
      ? boolean
      : O extends { multiple: true }
        ? string[]
        : string;
type ValueOf<O> = O extends { default: unknown } ? Parsed<O> : Parsed<O> | undefined;
type Values<O extends Options> = { [Name in keyof O]: ValueOf<O[Name]> };

/** Actions to run before the process ends, in reverse order. */
export type CleanUp = (() => unknown)[];

/**
 * Runs `work` with actions of its own: they run when it ends, or with those of the command if a signal ends that first.
 */
export async function withCleanUp<T>(outer: CleanUp, work: (cleanUp: CleanUp) => Promise<T>): Promise<T> {
  const own: CleanUp = [];
  const end = async () => {
    for (const step of own.splice(0).reverse()) await step();
  };
  outer.push(end);
  try {
    return await work(own);
  } finally {
    await end();
  }
}

type Command<O extends Options> = {
  /** Script name in package.json. */
  name: string;
  about: string;
  options: O;
  /** Text that the help shows below the options. */
  notes?: string;
  /** The command runs until a signal ends it, which is not a failure. */
  isEndedBySignal?: boolean;
  /** Resolves to the exit code, or to undefined if what was started keeps running. */
  run: (
    values: Values<O>,
    cleanUp: CleanUp,
    isEnding: () => boolean,
  ) => Promise<number | undefined> | number | undefined;
};

export const JSON_OPTION = { type: "boolean", about: "print one JSON object; everything else goes to stderr" } as const;
export const CHECK_OPTION = { type: "boolean", about: "exit with 1 if a limit is missed" } as const;
export const SEED_OPTION = { type: "number", default: 1, about: "seed of the pseudo-random numbers" } as const;

const HELP_OPTION = { type: "boolean", about: "this text" } as const;
const WIDTH = 110;
/** Default argument names in the help, by option type. */
const VALUES: Readonly<Record<string, string>> = { number: "N", numbers: "N,…" };

/** Wraps text into lines of at most `width` characters. */
function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

function helpOf<O extends Options>({ name, about, options, notes }: Command<O>): string {
  const rows = Object.entries({ ...options, help: HELP_OPTION } as Options).map(([option, config]) => {
    const text = config.default === undefined ? config.about : `${config.about} (default: ${String(config.default)})`;
    const value = config.value ?? VALUES[config.type];
    return [`  --${option}${value === undefined ? "" : ` ${value}`}`, text] as const;
  });
  const column = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.flatMap(([left, text]) =>
    text
      .split("\n")
      .flatMap((part) => wrap(part, WIDTH - column))
      .map((part, index) => (index === 0 ? left : "").padEnd(column) + part),
  );
  const usage = `Usage: npm run ${name}${rows.length > 1 ? " -- [options]" : ""}`;
  return [usage, "", ...about.split("\n").flatMap((part) => wrap(part, WIDTH)), "", ...lines]
    .concat(notes === undefined ? [] : ["", notes])
    .join("\n");
}

/** Error text for people: the message alone if it was written for people, otherwise with the stack. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : inspect(error);

/** Parses a whole number from an option. */
function wholeNumber(name: string, text: string, min = 1): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`--${name} must be a whole number, at least ${min}.`);
}

function parseOptions<O extends Options>(options: O): Values<O> {
  const asText = Object.entries(options).map(([name, option]): [string, NodeOption] => [
    name,
    option.type === "number" || option.type === "numbers"
      ? { type: "string", ...(option.default !== undefined && { default: String(option.default) }) }
      : option,
  ]);
  const { values } = parseArgs({ options: Object.fromEntries(asText) });
  const parsed = Object.entries(values).map(([name, value]) => {
    const option = options[name];
    if (option?.type === "number") return [name, wholeNumber(name, String(value), option.min)];
    if (option?.type === "numbers")
      return [
        name,
        String(value)
          .split(",")
          .map((part) => wholeNumber(name, part)),
      ];
    return [name, value];
  });
  return Object.fromEntries(parsed) as Values<O>; // safe: each value is of its option's type
}

/** Runs a command line: prints help, parses options, and cleans up at the end, on a failure and on a signal. */
export async function runCommand<const O extends Options>(command: Command<O>): Promise<void> {
  const cleanUp: CleanUp = [];
  let isEnding = false;
  const hasEnded = () => isEnding;
  const end = async (code: number) => {
    if (isEnding) return;
    isEnding = true;
    for (const step of cleanUp.reverse()) await step();
    process.exit(code);
  };
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.on(signal, () => void end(command.isEndedBySignal ? 0 : code));
  // Errors that nothing awaits: clean up here, too.
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => {
      console.error(messageOf(error));
      void end(1);
    });
  try {
    if (process.argv.includes("--help")) {
      console.log(helpOf(command));
      return;
    }
    const code = await command.run(parseOptions(command.options), cleanUp, hasEnded);
    if (code !== undefined) await end(code);
  } catch (error) {
    const isUsage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    const message = isUsage
      ? `${error.message}\nSee npm run ${command.name} -- --help for the options.`
      : messageOf(error);
    // Errors of work interrupted by a signal are not reported.
    if (!hasEnded()) console.error(message);
    await end(1);
  }
}

/** Writes progress to stderr, on a single line if it is a terminal. */
export const progress = (text: string): void =>
  void process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(76)}` : `${text}\n`);

/** Writes lines for people: to stderr if stdout is reserved for JSON. */
export const lineWriter = (isJson: boolean | undefined) => (line: string) =>
  void (isJson ? process.stderr : process.stdout).write(`${line}\n`);
