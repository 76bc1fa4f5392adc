import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const TIMEOUT_MS = 60_000;

/** The output and exit code of a program; no code if it did not end in time. */
export type Conversation = { output: string; code: number | null };

type Options = {
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Called once with the first matching text; the program is ended if it resolves to false. */
  answer?: { to: RegExp; with: (found: string) => Promise<boolean> };
};

/** Runs a command-line program and answers its prompts. */
export function converse({ program, args, env, cwd, answer }: Options): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let hasAnswered = false;
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += stripVTControlCharacters(chunk.toString());
      const found = answer && !hasAnswered ? answer.to.exec(output)?.[0] : undefined;
      if (!answer || found === undefined) return;
      hasAnswered = true;
      answer.with(found).then(
        (goesOn) => {
          if (!goesOn) child.kill();
        },
        (error: unknown) => {
          output += `\n${error instanceof Error ? error.message : String(error)}`;
          child.kill();
        },
      );
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ output, code });
    });
  });
}
