import { type Database, isDatabaseUnavailable } from "@/db/client";
import { codeOf, failureCode } from "@/db/failures";
import { now } from "@/lib/platform/clock";
import { type AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import type { Installation, Output } from "@/lib/operations/backup";
import type { Dependencies } from "@/lib/operations/instance";
import { log } from "@/lib/platform/log";
import type { Command, Given, SchemaUse } from "./command";
import { COMMANDS } from "./commands";
import { renderResult } from "./domain/table";
import { parseCommandLine } from "./parse-command-line";

export type AdminDependencies = Dependencies & {
  /** Called only if a command needs it, so help and usage errors work without a database. */
  openDatabase: (schema: SchemaUse) => Promise<Database>;
  /** For commands on the whole installation. */
  installation?: Installation;
  stdout: Output;
  stderr: Output;
};

const EXIT = { done: 0, refused: 1, usage: 2, warned: 3 } as const;

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
      message: `The database does not answer (${failureCode(error) ?? "no reason given"}). Is it running, and is DATABASE_URL correct?`,
    };
  log.error({ err: error }, "an admin command failed");
  return { code: "internal_error", message: ERRORS.internal_error.message };
}

function showRefusal({ code, message }: Refusal, isJson: boolean, stderr: Output): void {
  stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `Refused (${code}): ${message}\n`);
}

async function runManaging(command: Extract<Command, { run: unknown }>, given: Given, dependencies: AdminDependencies) {
  let db: Database;
  try {
    db = await dependencies.openDatabase(command.schema ?? "current");
  } catch (error) {
    if (!command.runWithoutDatabase) throw error;
    return await command.runWithoutDatabase(refusalOf(error).message, given, dependencies);
  }
  const context = { db, now: now(), actor: { kind: "operator" } as const, requestId: newId("request") };
  return await command.run(context, given, dependencies);
}

function runCommand(command: Command, given: Given, dependencies: AdminDependencies) {
  if ("run" in command) return runManaging(command, given, dependencies);
  if ("runAlone" in command) return command.runAlone(given);
  if (!dependencies.installation) throw new Error("this command line was given no installation");
  return command.runOnInstallation(dependencies.installation, given);
}

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
  try {
    const result = await runCommand(command, given, dependencies);
    stdout.write(isJson ? `${JSON.stringify(result)}\n` : renderResult(result));
    if (result["healthy"] === false || result["accepted"] === false) return EXIT.refused;
    return result["status"] === "warn" ? EXIT.warned : EXIT.done;
  } catch (error) {
    showRefusal(refusalOf(error), isJson, stderr);
    return EXIT.refused;
  }
}
