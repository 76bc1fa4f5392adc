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

/** The parsed options of one call; required options and choices are already validated. */
export type Given = {
  /** An option that the command requires. */
  text: (name: string) => string;
  optional: (name: string) => string | undefined;
  list: (name: string) => string[];
  has: (name: string) => boolean;
};

export type Command = {
  /** As typed, e.g. `web-app create`. */
  name: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** What an interruption leaves, and what to do then. */
  interrupted?: string;
} & (Managing | Whole | Standalone);

type Result = Record<string, unknown>;

/**
 * What a command needs from the database: this version's schema, any schema, or that it is migrated to this version.
 */
export type SchemaUse = "current" | "any" | "upgraded";

type Managing = {
  /** Default: current. With "any", the command also works on a database that was used with other secrets. */
  schema?: SchemaUse;
  /** Runs instead if the database could not be opened, with the reason. */
  runWithoutDatabase?: (reason: string, given: Given, dependencies: Dependencies) => Promise<Result>;
  /** The result is the object that `--json` prints. */
  run: (context: Context, given: Given, dependencies: Dependencies & Told) => Promise<Result>;
};

export type Told = {
  /** For progress. */
  stderr: Output;
  /** For progress while the result is printed: silent if both would be on one terminal. */
  besideResult: Output;
  /** Says what an interruption leaves from now on, instead of `interrupted`. */
  ifInterrupted: (text: string) => void;
};

/** A command on the whole installation, whose database may be unmigrated or not running. */
type Whole = { runOnInstallation: (installation: Installation, given: Given, told: Told) => Promise<Result> };

/** A command that needs no database. */
type Standalone = { runAlone: (given: Given) => Result };

export const workspaceOption = { value: "ID", description: "Workspace, `ws_…`", isRequired: true } as const;
export const webAppOption = { value: "ID", description: "Web App, `app_…`", isRequired: true } as const;
