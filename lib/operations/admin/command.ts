import type { Context } from "@/lib/platform/context";
import type { Installation, Output } from "@/lib/operations/backup";
import type { Dependencies } from "@/lib/operations/instance";

export type Option = {
  /** Placeholder of the value in help; an option without one is a switch. */
  value?: string;
  description: string;
  isRequired?: boolean;
  /** May be given several times. */
  isRepeatable?: boolean;
  choices?: readonly string[];
};

/** The options of one call; the parser has validated which are required, and their choices. */
export type ParsedOptions = {
  /** An option that the command requires. */
  text: (name: string) => string;
  optional: (name: string) => string | undefined;
  list: (name: string) => string[];
  has: (name: string) => boolean;
  choice: <T extends string>(name: string, choices: readonly T[]) => T;
  optionalChoice: <T extends string>(name: string, choices: readonly T[]) => T | undefined;
  number: (name: string, range?: NumberRange) => number;
  optionalNumber: (name: string, range?: NumberRange) => number | undefined;
  /**
   * @param parse returns undefined for a value that is not valid
   * @param mustBe what the message then says that it must be
   */
  parsed: <T>(name: string, parse: (text: string) => T | undefined, mustBe: string) => T | undefined;
};

/** `mustBe` is what the message about another value says. */
export type NumberRange = { min?: number; max?: number; mustBe?: string };

export type Command = {
  /** As typed, e.g. `web-app create`. */
  name: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** What an interruption leaves, and what to do then. */
  interruptionNotice?: string;
} & (ContextCommand | InstallationCommand | StandaloneCommand);

type Result = Record<string, unknown>;

/**
 * What a command needs from the database: this version's schema, any schema, or that it is migrated to this version.
 */
export type SchemaUse = "current" | "any" | "upgraded";

type ContextCommand = {
  /** Default: current. With "any", the command also works on a database that was used with other secrets. */
  schema?: SchemaUse;
  /** Runs instead if the database could not be opened, with the reason. */
  runWithoutDatabase?: (reason: string, options: ParsedOptions, dependencies: Dependencies) => Promise<Result>;
  /** The result is the object that `--json` prints. */
  run: (context: Context, options: ParsedOptions, dependencies: Dependencies & CommandIo) => Promise<Result>;
};

export type CommandIo = {
  /** For progress. */
  stderr: Output;
  /** For progress while the result is printed: silent if both would be on one terminal. */
  progressWithResult: Output;
  /** Says what an interruption leaves from now on, instead of `interruptionNotice`. */
  ifInterrupted: (text: string) => void;
};

/** A command on the whole installation, whose database may be unmigrated or not running. */
type InstallationCommand = {
  runOnInstallation: (installation: Installation, options: ParsedOptions, io: CommandIo) => Promise<Result>;
};

/** A command that needs no database. */
type StandaloneCommand = { runAlone: (options: ParsedOptions) => Result };

export const workspaceOption = { value: "ID", description: "Workspace, `ws_…`", isRequired: true } as const;
export const webAppOption = { value: "ID", description: "Web App, `app_…`", isRequired: true } as const;
