import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { CleanUp } from "../common/command";
import { claimPort } from "../common/processes";
import { findHaproxy } from "../test/haproxy.mjs";

/** Between two checks of a replica; one that fails takes it out. */
export const CHECK_MS = 500;
const READY_TIMEOUT_MS = 10_000;

/** Nothing is tried twice: what a replica refuses or resets reaches the client. */
const configuration = (port: number, replicas: readonly number[]) => `
global
  maxconn 2000
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
frontend clients
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  http-reuse safe
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter ${CHECK_MS}ms fall 1 rise 1
${replicas.map((replica, index) => `  server replica${index} 127.0.0.1:${replica}`).join("\n")}
`;

/** HAProxy before replicas of the service on these ports; its address. */
export async function startBalancer(replicas: readonly number[], cleanUp: CleanUp): Promise<string> {
  const program = await findHaproxy();
  const folder = mkdtempSync(join(tmpdir(), "imprint-haproxy-"));
  const port = await claimPort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configuration(port, replicas));
  const child = spawn(program, ["-db", "-q", "-f", file], { stdio: "ignore", detached: true });
  cleanUp.push(async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (
    !(await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`HAProxy did not start (${program})`);
    await delay(50);
  }
  return address;
}
