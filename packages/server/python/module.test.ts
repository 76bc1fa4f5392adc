import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type AcceptOptions, isImprintServerError } from "../index";
import {
  API_KEY,
  clientOf,
  type FakeService,
  type Handler,
  IMPRINT,
  ORIGIN,
  replyError,
  replyReport,
  SAMPLE_REPORT,
  startFakeService,
} from "../testing";

const PYTHON = process.env["PYTHON"] ?? "python3";
const ENVIRONMENT = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };

type Case = { call?: "accept" | "report"; imprint?: unknown; options?: object; timeoutMs?: number; retries?: number };

let handlers: Handler[] = [];
let service: FakeService;
beforeAll(async () => {
  service = await startFakeService((request, response) => {
    const [, number = ""] = /^\/case-(\d+)\//.exec(request.url ?? "") ?? [];
    return handlers[Number(number)]?.(request, response);
  });
});
afterAll(() => service.close());

/** What the package for JavaScript makes of a case, as the driver tells what the module makes of it. */
async function runHere(endpoint: string, { call, imprint, options, ...settings }: Required<Case>) {
  const client = clientOf(endpoint, settings);
  if (call === "accept") {
    const answer = await client.acceptImprint(imprint, options as AcceptOptions);
    const seen = { accepted: answer.accepted, report: answer.report !== undefined };
    return answer.accepted ? seen : { ...seen, reason: answer.reason, code: answer.code ?? null };
  }
  try {
    const read = await client.report(String(imprint), options);
    const { delivery, surface, origin, ageSeconds, recognition, confidence, agent } = read;
    return {
      read: [delivery, surface, origin, ageSeconds, recognition, confidence, agent].map((value) => value ?? null),
    };
  } catch (error) {
    if (!isImprintServerError(error)) throw error;
    return {
      error: [error.code, error.status, error.retryAfterSeconds, error.requestId].map((value) => value ?? null),
    };
  }
}

/** What both make of the same cases. */
async function runBoth(cases: readonly (readonly [Case, Handler])[]) {
  handlers = cases.map(([, handler]) => handler);
  const whole = cases.map(([each], index) => ({
    ...{
      call: "accept" as const,
      imprint: IMPRINT,
      timeoutMs: 20_000,
      retries: 0,
      options: { surface: "sign-in", origin: ORIGIN },
    },
    ...each,
    endpoint: `${service.url}/case-${index}`,
    apiKey: API_KEY,
  }));
  const child = spawn(PYTHON, [join(import.meta.dirname, "driver.py")], {
    env: ENVIRONMENT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(whole.map((each) => JSON.stringify(each)).join("\n"));
  const there: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) there.push(JSON.parse(line));
  const here = [];
  for (const { endpoint, apiKey: _key, ...each } of whole) here.push(await runHere(endpoint, each));
  return { here, there };
}

const report: Handler = () => replyReport();
const expecting = (options: object) => ({ options: { surface: "sign-in", origin: ORIGIN, ...options } });

test("it comes to the same as the package for JavaScript, whatever is asked and answered", async () => {
  const cases: [Case, Handler][] = [
    [{}, report],
    ...[
      "",
      null,
      7,
      [IMPRINT, IMPRINT],
      { a: 1 },
      "../x",
      `${IMPRINT}\n`,
      IMPRINT.toUpperCase(),
      IMPRINT.repeat(1000),
    ].map((imprint): [Case, Handler] => [{ imprint }, report]),
    ...[
      { surface: "payment" },
      { surface: ["payment", "sign-in"] },
      { origin: ["https://other.example", "HTTPS://SHOP.EXAMPLE:443/"] },
      { origin: "http://shop.example" },
      { origin: "shop.example" },
      { origin: `${ORIGIN}/login` },
      { origin: [] },
      { surface: "" },
      { maxAgeSeconds: 11 },
      { maxAgeSeconds: "300" },
      { once: "no" },
      { acceptance: "two words" },
      { acceptance: "attempt-7" },
      { accountRef: "ü" },
      { accountRef: "4 2" },
      { address: "203.0.113.7" },
      { address: "::ffff:203.0.113.7" },
      { address: "203.0.113.8" },
      { address: "203.0.113.7:51234" },
      { address: "nobody" },
    ].map((options): [Case, Handler] => [expecting(options), report]),
    ...["2001:db8:0:1::9", "[2001:db8:0:1::9]", "[2001:db8:0:1::9]:443", "2001:db8:0:2::1", "10.0.0.1"].map(
      (address): [Case, Handler] => [
        expecting({ address }),
        () =>
          replyReport({}, { ...SAMPLE_REPORT, network: { ...SAMPLE_REPORT.network, observed_ip: "2001:db8:0:1::1" } }),
      ],
    ),
    ...["https://Straße.example", "https://BÜCHER。example", "https://shop..example", "https://ﬁ.example"].flatMap(
      (origin) =>
        ["xn--strae-oqa.example", "xn--bcher-kva.example", "strasse.example", "fi.example"].map(
          (host): [Case, Handler] => [
            expecting({ origin }),
            () => replyReport({ "Imprint-Origin": `https://${host}` }),
          ],
        ),
    ),
    [{}, () => replyReport({ "Imprint-Delivery": "repeat" })],
    [expecting({ once: false }), () => replyReport({ "Imprint-Delivery": "repeat" })],
    [{}, () => replyReport({ "Imprint-Age": "301" })],
    [{}, () => replyReport({ "Imprint-Age": "soon" })],
    [{}, () => replyReport({ "Imprint-Delivery": "" })],
    ...[
      replyError(401, "auth_failed"),
      replyError(403, "account_map_not_allowed"),
      replyError(404, "report_not_found"),
      replyError(409, "account_ref_conflict"),
      replyError(429, "rate_limited", { "Retry-After": "60" }),
      replyError(429, "quota_exhausted"),
      replyError(500, "internal_error"),
      replyError(503, "service_unavailable"),
      replyError(418, "made_later"),
      { status: 502, body: "<h1>Bad Gateway</h1>" },
      { status: 404, body: "<h1>Not Found</h1>" },
      { status: 302, headers: { Location: "https://other.example/" } },
      { body: "<!doctype html>" },
      { body: "[".repeat(200_000) },
      { body: "x".repeat(2 * 1024 * 1024) },
      { body: JSON.stringify({ ...SAMPLE_REPORT, imprint: `imp_${"0".repeat(32)}` }) },
      { status: 204 },
    ].flatMap((reply): [Case, Handler][] => [
      [{}, () => reply],
      [{ call: "report", options: {} }, () => reply],
    ]),
    [
      { call: "report", options: { accountRef: "42" } },
      () =>
        replyReport({
          "Imprint-Recognition": "evidence",
          "Imprint-Confidence": "0.97",
          "Imprint-Agent": "Example Agent",
        }),
    ],
    [{ timeoutMs: 200 }, () => undefined],
    [{}, (request) => void request.socket.destroy()],
    [
      {},
      ({ socket }, response) => {
        response.writeHead(200, { "Content-Length": "500" }).write('{"imprint":', () => socket.end());
        return undefined;
      },
    ],
  ];
  const { here, there } = await runBoth(cases);
  expect(there).toHaveLength(cases.length);
  for (const [index, answer] of there.entries())
    expect([cases[index]?.[0], answer]).toEqual([cases[index]?.[0], here[index]]);
});

test("it asks again what is safe to repeat, with the same acceptance id, and ends within its deadline", async () => {
  const asked: (string | undefined)[] = [];
  let calls = 0;
  const startedAt = performance.now();
  const { there } = await runBoth([
    [
      { retries: 2 },
      ({ headers }) => {
        asked.push(headers["imprint-acceptance"]?.toString());
        return calls++ % 3 < 2 ? { status: 503 } : replyReport();
      },
    ],
    // A byte now and then keeps a socket busy for ever.
    [
      { timeoutMs: 300, retries: 2 },
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 20);
        response.once("close", () => {
          clearInterval(timer);
        });
        return undefined;
      },
    ],
  ]);
  expect(there).toEqual([
    { accepted: true, report: true },
    { accepted: false, report: false, reason: "unavailable", code: "timeout" },
  ]);
  expect([new Set(asked.slice(0, 3)).size, asked.length]).toEqual([1, 6]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("an endpoint by an IPv6 address without a port is that address, at the port of its scheme", async () => {
  const source = `
import http.client, imprint_server, json
asked = []
def connect(self):
    asked.append([self.host, self.port])
    raise ConnectionRefusedError()
http.client.HTTPConnection.connect = http.client.HTTPSConnection.connect = connect
for endpoint in ("http://[::1]", "https://[2001:db8::a]/behind", "https://[2001:db8::10]:8443"):
    answer = imprint_server.ImprintServer(endpoint, "svc_live_x", retries=0).accept_imprint(
        "${IMPRINT}", surface="sign-in", origin="${ORIGIN}")
    assert answer.code == "network", answer
print(json.dumps(asked))`;
  const { stdout } = await promisify(execFile)(PYTHON, ["-c", source], { cwd: import.meta.dirname, env: ENVIRONMENT });
  expect(JSON.parse(stdout)).toEqual([
    ["::1", 80],
    ["2001:db8::a", 443],
    ["2001:db8::10", 8443],
  ]);
});

test("wrong settings stop the site when it starts, by name and without the value", async () => {
  const source = `
import imprint_server, json
wrong = [("", "svc_live_x"), ("imprint.example.com", "svc_live_x"), ("ftp://a.example", "svc_live_x"),
  ("https://u:svc_live_x@a.example", "svc_live_x"), ("https://a.example/?q", "svc_live_x"), (None, "svc_live_x"),
  ("https://a.example", ""), ("https://a.example", None), ("https://a.example", "svc_live_x\\n"), ("https://a.example", "env_1")]
said = []
for endpoint, key in wrong:
    try:
        imprint_server.ImprintServer(endpoint, key)
    except ValueError as error:
        said.append(str(error))
print(json.dumps(said))`;
  const { stdout } = await promisify(execFile)(PYTHON, ["-c", source], { cwd: import.meta.dirname, env: ENVIRONMENT });
  const said = JSON.parse(stdout) as string[];
  expect(said).toHaveLength(10);
  expect(said.map((text) => text.split(" ")[0])).toEqual([
    ...Array<string>(6).fill("endpoint"),
    ...Array<string>(4).fill("api_key"),
  ]);
  expect(said.join()).not.toContain("svc_live_x");
});
