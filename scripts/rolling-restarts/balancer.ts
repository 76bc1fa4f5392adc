import type { CleanUp } from "../common/command";
import { startHaproxy } from "../common/haproxy";
import { claimPort } from "../common/processes";

/** Interval between health checks; a replica that fails one is taken out. */
export const CHECK_MS = 500;

/** Nothing is retried, so that refusals and resets by a replica reach the client. */
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

/** Starts HAProxy in front of service replicas on these ports; returns its URL. */
export async function startBalancer(replicas: readonly number[], cleanUp: CleanUp): Promise<string> {
  const port = await claimPort();
  const address = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await startHaproxy({ configuration: configuration(port, replicas), isReady }, cleanUp);
  return address;
}
