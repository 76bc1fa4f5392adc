import { type Database, isDatabaseUnavailable } from "@/db/client";
import { codeOf } from "@/db/failures";
import { now } from "@/lib/platform/clock";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import type { Installation, Output } from "@/lib/operations/backup";
import type { Dependencies } from "@/lib/operations/instance";
import { failureText } from "@/lib/platform/failure-text";
import { log } from "@/lib/platform/log";
import type { Command, Given, SchemaUse, Told } from "./command";
import { COMMANDS } from "./commands";
import { renderResult } from "./domain/table";
import { parseCommandLine } from "./parse-command-line";

export type AdminDependencies = Dependencies & {
  /** Called only if a command needs it, so help and usage errors work without a database. */
  openDatabase: (schema: SchemaUse, output: Output) => Promise<Database>;
  /** For commands on the whole installation. */
  installation?: Installation;
  stdout: Output;
  stderr: Output;
  /** Aborted by Ctrl-C. */
  signal?: AbortSignal;
};

const EXIT = { done: 0, refused: 1, usage: 2, warned: 3 } as const;

/** Time for an interrupted command on the whole installation to remove what is incomplete. */
const CLEAN_UP_MS = 2_500;

type Refusal = Pick<AppError, "code" | "message">;

/** System errors about a file or folder. Source: Node.js, "Common system errors". */
const OF_FILES = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ELOOP", "ENAMETOOLONG"],
  ...["ENOSPC", "EDQUOT", "EFBIG", "EIO", "ESTALE", "ENXIO", "ENODEV", "EXDEV"],
]);

const isOfFiles = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall !== "connect" && OF_FILES.has(codeOf(error));

function refusalOf(error: unknown): Refusal {
  if (isAppError(error)) return error;
  if (isOfFiles(error)) return { code: "conflict", message: error.message };
  if (isDatabaseUnavailable(error))
    return {
      code: "service_unavailable",
      message: `The database does not answer (${failureText(error) ?? "no reason given"}). Is it running, and is DATABASE_URL correct?`,
    };
  log.error({ err: error }, "an admin command failed");
  return { code: "internal_error", message: ERRORS.internal_error.message };
}

function showRefusal({ code, message }: Refusal, isJson: boolean, stderr: Output): void {
  stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `Refused (${code}): ${message}\n`);
}

async function runManaging(
  command: Extract<Command, { run: unknown }>,
  given: Given,
  dependencies: AdminDependencies,
  told: Told,
) {
  let db: Database;
  try {
    db = await dependencies.openDatabase(command.schema ?? "current", told.stderr);
  } catch (error) {
    if (!command.runWithoutDatabase) throw error;
    return await command.runWithoutDatabase(refusalOf(error).message, given, dependencies);
  }
  const context = { db, now: now(), actor: { kind: "operator" } as const, requestId: newId("request") };
  // Copied only now: what was migrated is known once the database is open.
  return await command.run(context, given, { ...dependencies, ...told });
}

/** Rejects when the command is interrupted and had `graceMs` to end by itself. */
const interruption = (signal: AbortSignal | undefined, graceMs: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => {
      setTimeout(reject, graceMs, new Error("interrupted"));
    });
  });

function runCommand(command: Command, given: Given, dependencies: AdminDependencies, told: Told) {
  const { installation, signal } = dependencies;
  if ("runAlone" in command) return command.runAlone(given);
  if ("run" in command) return Promise.race([runManaging(command, given, dependencies, told), interruption(signal, 0)]);
  if (!installation) throw new Error("this command line was given no installation");
  const running = command.runOnInstallation({ ...installation, output: told.stderr }, given);
  return Promise.race([running, interruption(signal, CLEAN_UP_MS)]);
}

const SILENT: Output = { write: () => undefined };

/** Runs one admin command and returns the exit code. */
export async function runAdmin(argv: readonly string[], dependencies: AdminDependencies): Promise<number> {
  const { stdout, stderr } = dependencies;
  const isJson = argv.includes("--json");
  const parsed = parseCommandLine(argv, COMMANDS);
  if ("help" in parsed) {
    stdout.write(parsed.help);
    return EXIT.done;
  }
  if ("misuse" in parsed) {
    if (isJson) showRefusal({ code: "invalid_request", message: parsed.misuse }, isJson, stderr);
    else stderr.write(parsed.usage);
    return EXIT.usage;
  }
  const { command, given } = parsed;
  let left = command.interrupted ?? "";
  const ifInterrupted = (text: string) => {
    left = text;
  };
  // A program that reads errors gets one object, without lines of progress before it.
  const progress = isJson && !stderr.isTTY ? SILENT : stderr;
  try {
    const result = await runCommand(command, given, dependencies, { stderr: progress, ifInterrupted });
    stdout.write(isJson ? `${JSON.stringify(result)}\n` : renderResult(result));
    if (result["healthy"] === false || result["accepted"] === false) return EXIT.refused;
    return result["status"] === "warn" ? EXIT.warned : EXIT.done;
  } catch (error) {
    const refusal = dependencies.signal?.aborted
      ? new AppError("service_unavailable", { message: `Interrupted. ${left}`.trimEnd() })
      : refusalOf(error);
    showRefusal(refusal, isJson, stderr);
    return EXIT.refused;
  }
}
