import { type Database, isDatabaseUnavailable } from "@/db/client";
import { databaseFolder } from "@/db/embedded-place";
import { codeOf, failureCode } from "@/db/failures";
import { describeFullDisk } from "@/db/full-disk.mjs";
import { now } from "@/lib/platform/clock";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import type { Installation, Output } from "@/lib/operations/backup";
import type { Dependencies } from "@/lib/operations/instance";
import { failureText } from "@/lib/platform/failure-text";
import { log } from "@/lib/platform/log";
import type { Command, CommandIo, ParsedOptions, SchemaUse } from "./command";
import { COMMANDS } from "./commands";
import { parseCommandLine } from "./parse-command-line";
import { renderParts, type Result } from "./print-result";

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
const CLEAN_UP_MS = 10_000;

type Refusal = Pick<AppError, "code" | "message">;

/** System errors about a file or folder. Source: Node.js, "Common system errors". */
const OF_FILES = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ELOOP", "ENAMETOOLONG"],
  ...["ENOSPC", "EDQUOT", "EFBIG", "EIO", "ESTALE", "ENXIO", "ENODEV", "EXDEV"],
]);

const isOfFiles = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall !== "connect" && OF_FILES.has(codeOf(error));

/** Codes of a PostgreSQL that answered, but could not do its work: disk and memory, input and output. */
const OF_RESOURCES = /^(?:53|58)/;

/** An embedded server whose disk is full may also end without an answer. */
function unavailableText(error: unknown, { isEmbedded, installation }: AdminDependencies): string {
  const reason = failureText(error) ?? "no reason given";
  const full = isEmbedded && installation ? describeFullDisk(databaseFolder(installation.dataDir)) : undefined;
  if (full !== undefined) return `The database could not do this (${reason}). ${full}`;
  if (OF_RESOURCES.test(failureCode(error) ?? ""))
    return `The database could not do this: ${reason}. See the server's log.`;
  return `The database does not answer (${reason}). Is it running, and is DATABASE_URL correct?`;
}

function refusalOf(error: unknown, dependencies: AdminDependencies): Refusal {
  if (isAppError(error)) return error;
  if (isOfFiles(error)) return { code: "conflict", message: error.message };
  if (isDatabaseUnavailable(error))
    return { code: "service_unavailable", message: unavailableText(error, dependencies) };
  log.error({ err: error }, "an admin command failed");
  return { code: "internal_error", message: ERRORS.internal_error.message };
}

function showRefusal({ code, message }: Refusal, isJson: boolean, stderr: Output): void {
  stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `Refused (${code}): ${message}\n`);
}

async function runWithContext(
  command: Extract<Command, { run: unknown }>,
  given: ParsedOptions,
  dependencies: AdminDependencies,
  io: CommandIo,
) {
  let db: Database;
  try {
    db = await dependencies.openDatabase(command.schema ?? "current", io.stderr);
  } catch (error) {
    if (!command.runWithoutDatabase) throw error;
    return await command.runWithoutDatabase(refusalOf(error, dependencies).message, given, dependencies);
  }
  const context = { db, now: now(), actor: { kind: "operator" } as const, requestId: newId("request") };
  // Copied only now: what was migrated is known once the database is open.
  return await command.run(context, given, { ...dependencies, ...io });
}

/** Rejects when the command is interrupted and had `graceMs` to end by itself. */
const interruption = (signal: AbortSignal | undefined, graceMs: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => {
      setTimeout(reject, graceMs, new Error("interrupted"));
    });
  });

function runCommand(command: Command, given: ParsedOptions, dependencies: AdminDependencies, io: CommandIo) {
  const { installation, signal } = dependencies;
  if ("runAlone" in command) return command.runAlone(given);
  if ("run" in command)
    return Promise.race([runWithContext(command, given, dependencies, io), interruption(signal, 0)]);
  if (!installation) throw new Error("this command line was given no installation");
  const running = command.runOnInstallation({ ...installation, output: io.stderr }, given, io);
  return Promise.race([running, interruption(signal, CLEAN_UP_MS)]);
}

const SILENT: Output = { write: () => undefined };

/** What remains when `| head` has closed the pipe. */
const isClosed = (error: unknown) => isAppError(error) && codeOf(error.cause) === "EPIPE";

/** @throws AppError `conflict` if not all of it was written, for example because a disk is full */
async function write(stdout: Output, text: string): Promise<void> {
  try {
    await stdout.write(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("conflict", { message: `The result could not be written: ${reason}`, cause: error });
  }
}

async function print(result: Result, isJson: boolean, { stdout, signal }: AdminDependencies): Promise<void> {
  let isBegun = false;
  for await (const part of renderParts(result, isJson)) {
    // A command that completed in spite of an interruption still prints its result.
    if (isBegun) signal?.throwIfAborted();
    isBegun = true;
    await write(stdout, part);
  }
}

/** Runs one admin command and returns the exit code. */
export async function runAdmin(argv: readonly string[], dependencies: AdminDependencies): Promise<number> {
  const { stdout, stderr } = dependencies;
  const isJson = argv.includes("--json");
  const parsed = parseCommandLine(argv, COMMANDS);
  if ("misuse" in parsed) {
    if (isJson) showRefusal({ code: "invalid_request", message: parsed.misuse }, isJson, stderr);
    else stderr.write(parsed.usage);
    return EXIT.usage;
  }
  let left = "help" in parsed ? "" : (parsed.command.interruptionNotice ?? "");
  const ifInterrupted = (text: string) => {
    left = text;
  };
  // A program that reads errors gets one object, without lines of progress before it.
  const progress = isJson && !stderr.isTTY ? SILENT : stderr;
  try {
    if ("help" in parsed) {
      await write(stdout, parsed.help);
      return EXIT.done;
    }
    const { command, given } = parsed;
    const io = { stderr: progress, progressWithResult: stdout.isTTY ? SILENT : progress, ifInterrupted };
    const result = await runCommand(command, given, dependencies, io);
    await Promise.race([print(result, isJson, dependencies), interruption(dependencies.signal, 0)]);
    if (result["healthy"] === false || result["accepted"] === false) return EXIT.refused;
    return result["status"] === "warn" ? EXIT.warned : EXIT.done;
  } catch (error) {
    if (isClosed(error)) return EXIT.refused;
    const refusal = dependencies.signal?.aborted
      ? new AppError("service_unavailable", { message: `Interrupted. ${left}`.trimEnd() })
      : refusalOf(error, dependencies);
    showRefusal(refusal, isJson, stderr);
    return EXIT.refused;
  }
}
