import { fork } from "node:child_process";
import path from "node:path";

import { context } from "esbuild";

import { bundleOptions, writeOutputs } from "../build/bundles.mjs";
import { ensureBuilt } from "../build/ensure.mjs";
import { buildLayout } from "../build/layout.mjs";

/** Time for a replaced server to finish requests in flight. */
const HANDOVER_MS = 10_000;

/**
 * Rebuilds the server bundle whenever its modules change.
 *
 * @param {string} folder @param {() => void} onBuilt
 */
const watch = (folder, onBuilt) =>
  context({
    ...bundleOptions(folder),
    logLevel: "warning",
    plugins: [
      {
        name: "restart",
        setup(build) {
          build.onEnd(({ errors, outputFiles }) => {
            if (errors.length > 0) return;
            writeOutputs(outputFiles ?? []);
            onBuilt();
          });
        },
      },
    ],
  });

/**
 * Runs the same entry point as `npm start` in development mode: Next reloads the pages by itself, and a change of the
 * server's own modules starts a new server process, for which the old one leaves the database running.
 */
export async function runDevelopment() {
  Object.assign(process.env, { NODE_ENV: "development" });
  await ensureBuilt(["component", "documents"], { say: console.log });
  const folder = path.join(buildLayout().bundles, "development");
  const server = path.join(folder, "server.mjs");
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  let isStopping = false;
  // Checked again after each wait: a signal may have arrived meanwhile.
  const isWanted = () => !isStopping;

  function launch() {
    const started = fork(server, ["--dev"], { execArgv: ["--enable-source-maps"], stdio: "inherit" });
    child = started;
    started.once("exit", (code) => {
      if (child !== started) return;
      child = undefined;
      if (isStopping) process.exit(code ?? 1);
      console.log("The server exited; it will restart on the next change");
    });
  }

  /** @param {import("node:child_process").ChildProcess} old */
  async function replace(old) {
    child = undefined;
    const gone = new Promise((resolve) => old.once("exit", resolve));
    old.send({ kind: "make way" });
    const cut = setTimeout(() => old.kill("SIGKILL"), HANDOVER_MS);
    await gone;
    clearTimeout(cut);
  }

  let turn = Promise.resolve();
  const restart = () => {
    turn = turn.then(async () => {
      if (!isWanted()) return;
      if (child) {
        console.log("Server modules changed: restarting");
        await replace(child);
      }
      if (isWanted()) launch();
    });
  };

  const watcher = await watch(folder, restart);
  await watcher.watch();

  /** @param {NodeJS.Signals} signal */
  function stop(signal) {
    isStopping = true;
    void watcher.dispose();
    if (child) child.kill(signal);
    else process.exit(0);
  }
  // Ctrl-C in a terminal also reaches the child; a second signal would make it exit immediately.
  process.on("SIGINT", () => {
    isStopping = true;
    void watcher.dispose();
    if (!child) process.exit(0);
  });
  process.on("SIGTERM", () => {
    stop("SIGTERM");
  });
}
