import { createHash } from "node:crypto";

import { ERRORS } from "@/lib/contract/errors";
import { listProductsOperation } from "@/lib/contract/product";
import { submitImprintOperation } from "@/lib/contract/submission";
import { failureText } from "@/lib/platform/failure-text";
import { MAX_CHALLENGE_CHARACTERS } from "@/lib/trials/payments";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";
import { type Answered, ask, type Reach, shakeHands } from "./public-answers";
import { type NamedCheck, runChecks } from "./run-checks";

const DEADLINE_MS = 15_000;
const CERTIFICATE_DAYS = 14;
const ORIGIN = "https://shop.example";

export type PublicOptions = Reach & {
  url: URL;
  now: Date;
  /** Files of the component's newest release and their hashes, as pages reference them. */
  component: Readonly<Record<string, string>>;
};

/** Returns what is wrong with an answer; undefined if it is as expected. */
type Wrong = (answer: Answered) => string | undefined;

const resultOf = (name: string, problem: string | undefined, fine: string, fix: string): CheckResult =>
  problem === undefined ? ok(name, fine) : fail(name, problem, fix);

const reasonOf = (error: unknown) => failureText(error) ?? (error instanceof Error ? error.message : "unknown");

/** Sends one request and checks its answer. */
async function requestAndCheck(
  { url, ...reach }: PublicOptions,
  path: string,
  asked: Parameters<typeof ask>[1],
  wrong: Wrong,
): Promise<string | undefined> {
  const target = new URL(path, url);
  try {
    return wrong(await ask(target, asked, reach));
  } catch (error) {
    return `${target.href} cannot be reached (${reasonOf(error)}).`;
  }
}

async function checkTls({ url, now, ...reach }: PublicOptions): Promise<CheckResult[]> {
  const name = "public-tls";
  if (url.protocol !== "https:") return [fail(name, `${url.href} is not https.`, "Put a proxy with TLS in front.")];
  try {
    const { protocol, alpn, daysLeft } = await shakeHands(url, now.getTime(), reach);
    const text = `${protocol ?? "TLS"}; the certificate is valid for ${Math.floor(daysLeft)} days.`;
    return [
      daysLeft < CERTIFICATE_DAYS ? warn(name, text, "See why it is not renewed.") : ok(name, text),
      alpn === "h2"
        ? ok("public-http2", "HTTP/2 is offered.")
        : warn("public-http2", "The proxy does not offer HTTP/2.", "Switch it on: pages load many small files."),
    ];
  } catch (error) {
    const text = `No trusted connection to ${url.host} (${reasonOf(error)}).`;
    return [fail(name, text, "The certificate must be for this name, valid now, and sent with its full chain.")];
  }
}

async function checkService(options: PublicOptions): Promise<CheckResult> {
  const problem = await requestAndCheck(options, "/readyz", {}, ({ status, body }) =>
    status === 200 && body.includes("ready") ? undefined : `/readyz answers ${status}.`,
  );
  return resultOf("public-service", problem, "The service answers, and is ready.", "Is the proxy's upstream right?");
}

/** Checks that the proxy keeps our response headers and passes our request headers. */
async function checkHeaders(options: PublicOptions): Promise<CheckResult> {
  const path = `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`;
  const asked = { headers: { "X-API-Key": "none" } };
  const problem = await requestAndCheck(options, path, asked, ({ status, headers, body }) => {
    if (status !== 401 || !body.includes("auth_failed")) return `${path} answers ${status}, not our 401.`;
    const lost = ["x-request-id", "x-content-type-options", "cache-control", "link"].filter(
      (header) => !headers[header],
    );
    if (lost.length > 0) return `The proxy drops ${lost.join(", ")} from our answers.`;
    return headers["cache-control"]?.includes("no-store") ? undefined : "The proxy changes Cache-Control.";
  });
  return resultOf(
    "public-headers",
    problem,
    "The proxy keeps our headers and errors.",
    "Configure it to pass headers unchanged.",
  );
}

/** Whether an operator switched MCP off. */
const isMcpOff = ({ status, body }: Answered) => status === ERRORS.mcp_disabled.status && body.includes("mcp_disabled");

async function checkMcp(options: PublicOptions): Promise<CheckResult> {
  const headers = { "Content-Type": "application/json", Authorization: "Bearer none" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const problem = await requestAndCheck(options, "/mcp", { method: "POST", headers, body }, (answer) => {
    if (isMcpOff(answer)) return undefined;
    const challenge = answer.headers["www-authenticate"] ?? "";
    if (answer.status !== 401) return `/mcp answers ${answer.status}, not 401.`;
    if (!challenge.includes("invalid_token")) return "The proxy drops Authorization on the way to /mcp.";
    return challenge.includes(`${options.url.origin}/.well-known/`)
      ? undefined
      : "/mcp refers to its metadata at another address.";
  });
  return resultOf("public-mcp", problem, "Clients can reach /mcp.", "See BASE_URL and the proxy's routes.");
}

async function checkWellKnown(options: PublicOptions): Promise<CheckResult> {
  const { origin } = options.url;
  const expect = (path: string, member: string, value: string) =>
    requestAndCheck(options, path, {}, (answer) => {
      if (isMcpOff(answer)) return undefined;
      const { status, body } = answer;
      if (status !== 200) return `${path} answers ${status}.`;
      return body.includes(`"${member}":"${value}`) ? undefined : `${path} names another ${member} than ${value}.`;
    });
  const problems = await Promise.all([
    expect("/.well-known/oauth-protected-resource", "resource", origin),
    expect("/.well-known/oauth-authorization-server", "issuer", origin),
  ]);
  const fix = "Route /.well-known to the service, and set BASE_URL to this address.";
  return resultOf("public-well-known", problems.find(Boolean), "The metadata can be read and names this address.", fix);
}

/**
 * Checks that headers as long as those of a purchase pass in both directions. A preflight echoes any Origin, so nothing
 * has to be bought for it.
 */
async function checkPurchases(options: PublicOptions): Promise<CheckResult> {
  const name = "public-purchases";
  const nothing = "Nothing is for sale.";
  const catalog = await requestAndCheck(options, listProductsOperation.path, {}, ({ body }) =>
    body.includes('"available":true') ? undefined : nothing,
  );
  if (catalog === nothing) return ok(name, nothing);
  const origin = ORIGIN.padEnd(MAX_CHALLENGE_CHARACTERS, "e");
  const headers = { Origin: origin, "Access-Control-Request-Method": "POST" };
  const asked = { method: "OPTIONS", headers };
  const echo = await requestAndCheck(options, submitImprintOperation.path, asked, (answer) =>
    answer.headers["access-control-allow-origin"] === origin
      ? undefined
      : `Headers as long as a purchase's are answered with ${answer.status}: agents cannot buy.`,
  );
  const fix = "Allow headers of 16 KiB: in nginx, `proxy_buffer_size 16k`.";
  return resultOf(name, catalog ?? echo, "The headers of a purchase pass.", fix);
}

async function checkCors(options: PublicOptions): Promise<CheckResult> {
  const headers = {
    Origin: ORIGIN,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
  };
  const problem = await requestAndCheck(options, "/api/v1/imprints", { method: "OPTIONS", headers }, (answer) => {
    const allowed = answer.headers["access-control-allow-origin"];
    if (answer.status !== 204) return `A preflight is answered with ${answer.status}, not 204.`;
    return allowed === ORIGIN ? undefined : `A preflight allows ${allowed ?? "nobody"}: the proxy changes CORS.`;
  });
  return resultOf("public-cors", problem, "Pages of other sites may submit.", "Leave OPTIONS and CORS to the service.");
}

async function checkIntegrity(options: PublicOptions): Promise<CheckResult> {
  const [file = "", hash = ""] = Object.entries(options.component).find(([name]) => name.endsWith(".js")) ?? [];
  const problem = await requestAndCheck(
    options,
    `/v1/${file}`,
    { headers: { Origin: ORIGIN } },
    ({ status, headers, body }) => {
      if (status !== 200) return `/v1/${file} answers ${status}.`;
      if (`sha384-${createHash("sha384").update(body).digest("base64")}` !== hash)
        return `/v1/${file} is altered in transit: browsers refuse it, because sites reference it by hash.`;
      return headers["access-control-allow-origin"] === undefined
        ? "The component lacks Access-Control-Allow-Origin, which its integrity check needs."
        : undefined;
    },
  );
  return resultOf(
    "public-integrity",
    problem,
    "The component arrives unchanged.",
    "Do not let a proxy rewrite scripts.",
  );
}

/** Checks an installation through its public URL, as clients see it. */
export function examinePublic(options: PublicOptions): Promise<CheckResult[]> {
  const checks: NamedCheck[] = [
    ["public-tls", () => checkTls(options)],
    ["public-service", () => checkService(options)],
    ["public-headers", () => checkHeaders(options)],
    ["public-mcp", () => checkMcp(options)],
    ["public-well-known", () => checkWellKnown(options)],
    ["public-cors", () => checkCors(options)],
    ["public-integrity", () => checkIntegrity(options)],
    ["public-purchases", () => checkPurchases(options)],
  ];
  return runChecks(checks, { deadlineMs: DEADLINE_MS });
}
