import { type Database, isDatabaseUnavailable } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { type AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import type { Dependencies } from "@/lib/operations/instance";
import { log } from "@/lib/platform/log";
import type { Command, Given } from "./command";
import { COMMANDS } from "./commands";
import { renderResult } from "./domain/table";
import { commandHelp, overview } from "./help";
import { parseCommandLine } from "./parse";
import { isUsageError } from "./usage-error";

type Output = { write: (text: string) => unknown };

export type AdminDependencies = Dependencies & {
  /** Called when a command needs it: help and mistyped commands work without a database. A diagnosis takes it as it is. */
  openDatabase: (options: { isDiagnosis: boolean }) => Promise<Database>;
  stdout: Output;
  stderr: Output;
};

const EXIT = { done: 0, refused: 1, usage: 2 } as const;

type Refusal = Pick<AppError, "code" | "message">;

function refusalOf(error: unknown): Refusal {
  if (isAppError(error)) return error;
  if (isDatabaseUnavailable(error))
    return { code: "service_unavailable", message: "The database does not answer; is it running?" };
  log.error({ err: error }, "an admin command failed");
  return { code: "internal_error", message: ERRORS.internal_error.message };
}

function showRefusal({ code, message }: Refusal, isJson: boolean, stderr: Output): void {
  stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `Refused (${code}): ${message}\n`);
}

async function runManaging(command: Extract<Command, { run: unknown }>, given: Given, dependencies: AdminDependencies) {
  const db = await dependencies.openDatabase({ isDiagnosis: command.isDiagnosis ?? false });
  const context = { db, now: now(), actor: { kind: "operator" } as const, requestId: newId("request") };
  return await command.run(context, given, dependencies);
}

/** Runs one command of the operators' command line; the process's exit code: 0 done, 1 refused, 2 not understood. */
export async function runAdmin(argv: readonly string[], dependencies: AdminDependencies): Promise<number> {
  const { stdout, stderr } = dependencies;
  const isJson = argv.includes("--json");
  try {
    const call = parseCommandLine(argv, COMMANDS);
    if ("help" in call) {
      stdout.write(call.help ? commandHelp(call.help) : overview(COMMANDS));
      return EXIT.done;
    }
    const { command, given } = call;
    const result = "run" in command ? await runManaging(command, given, dependencies) : command.runAlone();
    stdout.write(isJson ? `${JSON.stringify(result)}\n` : renderResult(result));
    return result["healthy"] === false ? EXIT.refused : EXIT.done;
  } catch (error) {
    if (isUsageError(error)) {
      if (isJson) showRefusal({ code: "invalid_request", message: error.message }, isJson, stderr);
      else stderr.write(`${error.message}\n`);
      return EXIT.usage;
    }
    showRefusal(refusalOf(error), isJson, stderr);
    return EXIT.refused;
  }
}
