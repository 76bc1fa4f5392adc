import { inspect, parseArgs, type ParseArgsConfig } from "node:util";

type NodeOption = NonNullable<ParseArgsConfig["options"]>[string];
/** An option as `parseArgs` takes it, with its lines of the help; `value` names what follows a text option. */
type Options = Record<string, NodeOption & { about: string; value?: string }>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

/** What has to be done before the process ends, the last first. */
export type CleanUp = (() => unknown)[];

type Command<O extends Options> = {
  /** As in package.json. */
  name: string;
  about: string;
  options: O;
  /** What the help says below the options. */
  notes?: string;
  /** It runs until a signal ends it, which then is no failure. */
  isEndedBySignal?: boolean;
  /** Resolves to the exit code, or to nothing when what was started has to run on. */
  run: (
    values: Values<O>,
    cleanUp: CleanUp,
    isEnding: () => boolean,
  ) => Promise<number | undefined> | number | undefined;
};

export const JSON_OPTION = { type: "boolean", about: "print one JSON object; all else goes to stderr" } as const;
export const CHECK_OPTION = { type: "boolean", about: "exit code 1 when a figure is missed" } as const;
export const SEED_OPTION = { type: "string", default: "1", value: "N", about: "of the pseudo-random numbers" } as const;

const HELP_OPTION = { type: "boolean", about: "this text" } as const;
const WIDTH = 110;

/** Lines of at most `width` characters. */
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
    return [`  --${option}${config.value === undefined ? "" : ` ${config.value}`}`, text] as const;
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

/** What a person is told of a failure: a sentence that was written for people, or else the stack too. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : inspect(error);

/** Runs a command line: its help, its options, its clean-up at the end, on a failure and on a signal. */
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
  // Thrown where nothing awaits it: what was started is still stopped.
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
    const { values } = parseArgs({ options: command.options });
    const code = await command.run(values, cleanUp, hasEnded);
    if (code !== undefined) await end(code);
  } catch (error) {
    const isUsage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    const message = isUsage
      ? `${error.message}\nnpm run ${command.name} -- --help lists the options.`
      : messageOf(error);
    // What a signal interrupted fails in its own way.
    if (!hasEnded()) console.error(message);
    await end(1);
  }
}

/** Progress on stderr, in one line on a terminal. */
export const progress = (text: string): void =>
  void process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(76)}` : `${text}\n`);

/** Lines for people: on stderr when stdout belongs to JSON. */
export const lineWriter = (isJson: boolean | undefined) => (line: string) =>
  void (isJson ? process.stderr : process.stdout).write(`${line}\n`);

/** A whole number from an option. */
export function wholeNumber(name: string, text: string, min = 1): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`--${name} has to be a whole number from ${min}.`);
}

/** Whole numbers from 1 that an option lists with commas between. */
export const wholeNumbers = (name: string, text: string): number[] =>
  text.split(",").map((part) => wholeNumber(name, part));
