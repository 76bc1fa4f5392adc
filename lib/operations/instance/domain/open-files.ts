import { type CheckResult, ok, warn } from "./check-result";

type Files = { limit: number; connections: number; isEnough: boolean };

const FIX = "Raise the limit for the service: `ulimit -n 65536` where it is started, or LimitNOFILE= under systemd.";

/**
 * @param files limits of the process that runs the check, like those of the service if started the same way
 * @param wasReached whether the service closed connections at its limit in the last day
 */
export function assessOpenFiles(files: Files | undefined, wasReached: boolean): CheckResult {
  const name = "open-files";
  if (wasReached) {
    const text = "In the last day, the service closed new connections because its limit of open files was reached.";
    return warn(name, text, FIX);
  }
  if (!files) return ok(name, "No limit of open files is known.");
  const text = `A process started like this one may have ${files.limit} files open and serves up to ${files.connections} connections.`;
  return files.isEnough ? ok(name, text) : warn(name, text, FIX);
}
