import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "../common/command";
import { environmentWith } from "../common/processes";

const read = (folder: string, file: string) => fs.readFileSync(path.join(folder, file), "utf8");

/** Creates an installed and built checkout of a commit; removed at the end. */
export function checkOut(ref: string, cleanUp: CleanUp): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-previous-"));
  fs.chmodSync(folder, 0o755);
  const git = (...parameters: string[]) =>
    execFileSync("git", parameters, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  cleanUp.push(() => {
    git("worktree", "remove", "--force", folder);
  });
  git("worktree", "add", "--quiet", "--detach", "--force", folder, ref);
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  const isInstalled = read(folder, "package-lock.json") === read(ROOT, "package-lock.json");
  // Hard links take seconds, an installation takes minutes.
  if (isInstalled) execFileSync("cp", ["-a", "--link", path.join(ROOT, "node_modules"), folder], options);
  else execFileSync("npm", ["ci", "--no-audit", "--no-fund"], options);
  execFileSync(process.execPath, ["scripts/build.mjs"], {
    ...options,
    env: environmentWith({ IMPRINT_BUILD_DIR: ".test" }),
  });
  return folder;
}
