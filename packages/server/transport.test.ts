import fc from "fast-check";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { isImprintServerError } from "./error";
import {
  API_KEY,
  clientOf,
  failureOf,
  type FakeService,
  type Handler,
  IMPRINT,
  replyError,
  replyReport,
  SAMPLE_REPORT,
  startFakeService,
} from "./testing";

const services: FakeService[] = [];

async function serve(...handlers: readonly Handler[]): Promise<FakeService> {
  const service = await startFakeService(...handlers);
  services.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});

const hang: Handler = () => undefined;
const breakOff: Handler = (request) => {
  request.socket.destroy();
  return undefined;
};
const report: Handler = () => replyReport();

test("a Report is asked for with the key and nothing that a cache could answer, and comes with what its headers tell", async () => {
  const service = await serve(() =>
    replyReport({ "Imprint-Recognition": "evidence", "Imprint-Confidence": "0.97", "Imprint-Agent": "Example Agent" }),
  );
  expect(await clientOf(`${service.url}/`).report(IMPRINT, { accountRef: "4 2", acceptance: "order-7" })).toEqual({
    report: SAMPLE_REPORT,
    delivery: "first",
    surface: "sign-in",
    origin: "https://shop.example",
    ageSeconds: 12,
    recognition: "evidence",
    confidence: 0.97,
    agent: "Example Agent",
  });
  const [request] = service.requests;
  expect(request?.url).toBe(`/api/v1/fingerprint/report/${IMPRINT}`);
  expect(request?.headers).toMatchObject({
    "x-api-key": API_KEY,
    "x-account-ref": "4 2",
    "imprint-acceptance": "order-7",
    "cache-control": "no-cache",
  });
});

test("History is asked for with its range", async () => {
  const history = { imprint: IMPRINT, range: {}, summary: { events: 0 }, timeline: [], recent: [] };
  const service = await serve(() => ({ body: JSON.stringify(history) }));
  const client = clientOf(`${service.url}/behind/a/path/`);
  expect(await client.history(IMPRINT, { from: "2026-11-01", to: "2026-11-02", recent: 0 })).toEqual(history);
  await client.history(IMPRINT);
  expect(service.requests.map(({ url }) => url)).toEqual([
    `/behind/a/path/api/v1/fingerprint/imprint/${IMPRINT}/history?from=2026-11-01&to=2026-11-02&recent=0`,
    `/behind/a/path/api/v1/fingerprint/imprint/${IMPRINT}/history`,
  ]);
});

test.each<[string, Handler]>([
  ["a connection that breaks", breakOff],
  ["502", () => ({ status: 502, body: "<h1>Bad Gateway</h1>" })],
  ["503", () => replyError(503, "service_unavailable")],
  ["504", () => ({ status: 504 })],
  ["429 that ends in time", () => replyError(429, "rate_limited", { "Retry-After": "0" })],
])("%s is asked again, with the same acceptance id", async (_, fault) => {
  const service = await serve(fault, fault, report);
  expect((await clientOf(service.url).report(IMPRINT, { acceptance: "a" })).report).toEqual(SAMPLE_REPORT);
  expect(service.requests.map(({ headers }) => headers["imprint-acceptance"])).toEqual(["a", "a", "a"]);
});

test.each<[string, string, Handler]>([
  ["auth_failed", "a refused key", () => replyError(401, "auth_failed")],
  ["report_not_found", "no such Report", () => replyError(404, "report_not_found")],
  ["account_ref_conflict", "another account", () => replyError(409, "account_ref_conflict")],
  ["internal_error", "a failure of the service", () => replyError(500, "internal_error")],
  ["rate_limited", "429 that names no time", () => replyError(429, "rate_limited")],
  ["rate_limited", "429 that ends too late", () => replyError(429, "rate_limited", { "Retry-After": "60" })],
  ["quota_exhausted", "used units", () => replyError(429, "quota_exhausted", { "Retry-After": "0" })],
  ["bad_response", "a page", () => ({ body: "<!doctype html>" })],
  ["bad_response", "an error page", () => ({ status: 500, body: "<!doctype html>" })],
  ["bad_response", "a page in place of a refusal", () => ({ status: 403, body: "<!doctype html>" })],
  ["bad_response", "half of an object", () => ({ body: '{"imprint":' })],
  ["bad_response", "nothing", () => ({})],
  ["bad_response", "no content", () => ({ status: 204 })],
  ["bad_response", "null", () => ({ body: "null" })],
  ["bad_response", "a list", () => ({ body: "[]" })],
  ["bad_response", "deep lists", () => ({ body: "[".repeat(500_000) })],
  ["bad_response", "another Report", () => replyReport({}, { ...SAMPLE_REPORT, imprint: `imp_${"0".repeat(32)}` })],
  ["bad_response", "a Report without a device", () => replyReport({}, { ...SAMPLE_REPORT, device: null })],
  ["bad_response", "a code of later versions", () => replyError(418, "made_later")],
  ["service_unavailable", "an unknown code of a fault", () => replyError(503, "made_later", { "Retry-After": "60" })],
])("%s is the answer to %s, which is not asked again", async (code, _, handler) => {
  const service = await serve(handler);
  expect((await failureOf(clientOf(service.url).report(IMPRINT))).code).toBe(code);
  expect(service.requests).toHaveLength(1);
});

test("a failure says what the service said, with its status and what to quote", async () => {
  const service = await serve(() => replyError(429, "rate_limited", { "Retry-After": "30" }));
  expect(await failureOf(clientOf(service.url).report(IMPRINT))).toMatchObject({
    name: "ImprintServerError",
    code: "rate_limited",
    message: "about rate_limited",
    status: 429,
    retryAfterSeconds: 30,
    requestId: "req_1",
  });
});

test("a date in Retry-After counts as the time until then", async () => {
  const at = new Date(Date.now() + 30_500).toUTCString();
  const service = await serve(() => replyError(503, "service_unavailable", { "Retry-After": at }));
  const { retryAfterSeconds } = await failureOf(clientOf(service.url).report(IMPRINT));
  expect(retryAfterSeconds).toBeGreaterThan(25);
  expect(retryAfterSeconds).toBeLessThan(32);
});

test.each(["301", "302", "303", "307", "308"])("%s is not followed: the key goes nowhere else", async (status) => {
  const other = await serve(report);
  const service = await serve(() => ({ status: Number(status), headers: { Location: `${other.url}/elsewhere` } }));
  const failure = await failureOf(clientOf(service.url).report(IMPRINT));
  expect([failure.code, failure.message]).toEqual(["bad_response", expect.stringContaining("redirect") as string]);
  expect([service.requests.length, other.requests.length]).toEqual([1, 0]);
});

test("an answer without an end is cut off, one that is announced as huge is not read", async () => {
  let sentBytes = 0;
  const endless = await serve((_, response) => {
    const chunk = "x".repeat(64 * 1024);
    const send = () => {
      if (response.destroyed) return;
      sentBytes += chunk.length;
      response.write(chunk, send);
    };
    response.writeHead(200);
    send();
    return undefined;
  });
  expect(await failureOf(clientOf(endless.url).report(IMPRINT))).toMatchObject({ code: "bad_response", status: 200 });
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  const announced = await serve((_, response) => {
    response.writeHead(200, { "Content-Length": String(10 ** 12) }).flushHeaders();
    return undefined;
  });
  expect((await failureOf(clientOf(announced.url).report(IMPRINT))).code).toBe("bad_response");
});

/** Runs a call and says how long it took. */
async function timed(call: () => Promise<unknown>) {
  const startedAt = performance.now();
  const failure = await failureOf(call());
  return { code: failure.code, tookMs: performance.now() - startedAt };
}

test("a service that is silent costs no more than the deadline, and is asked a second time within it", async () => {
  const service = await serve(hang);
  const { code, tookMs } = await timed(() =>
    clientOf(service.url, { timeoutMs: 2000, attemptTimeoutMs: 200, retries: 1 }).report(IMPRINT),
  );
  expect(code).toBe("timeout");
  expect(tookMs).toBeLessThan(5000);
  expect(service.requests).toHaveLength(2);
  const second = await serve(hang, report);
  expect((await clientOf(second.url, { attemptTimeoutMs: 500 }).report(IMPRINT)).delivery).toBe("first");
});

test("a body that stops half-way, and a fetch that ignores its signal, cost no more than the deadline", async () => {
  const service = await serve((_, response) => {
    response.writeHead(200).write('{"imprint":');
    return undefined;
  });
  expect((await timed(() => clientOf(service.url, { timeoutMs: 200 }).report(IMPRINT))).tookMs).toBeLessThan(5000);
  const deaf = clientOf("http://service.example", { timeoutMs: 100, fetch: () => new Promise(() => undefined) });
  expect(await timed(() => deaf.report(IMPRINT))).toMatchObject({ code: "timeout" });
});

test("a service that is away is told as that, in time", async () => {
  const service = await startFakeService(report);
  await service.close();
  const { code, tookMs } = await timed(() => clientOf(service.url).report(IMPRINT));
  expect(code).toBe("network");
  expect(tookMs).toBeLessThan(5000);
  expect((await failureOf(clientOf(service.url).report(IMPRINT))).message).toContain("ECONNREFUSED");
});

test("an aborted call ends at once, also while it waits to ask again, and asks nothing when aborted before", async () => {
  const service = await serve((request, response) => {
    setTimeout(() => {
      controller.abort();
    });
    return hang(request, response);
  });
  const controller = new AbortController();
  expect((await failureOf(clientOf(service.url).report(IMPRINT, { signal: controller.signal }))).code).toBe("aborted");
  expect((await failureOf(clientOf(service.url).report(IMPRINT, { signal: controller.signal }))).code).toBe("aborted");
  expect(service.requests).toHaveLength(1);
  const late = new AbortController();
  const busy = await serve((_, response) => {
    response.once("finish", () => {
      setTimeout(() => {
        late.abort();
      }, 20);
    });
    return replyError(503, "service_unavailable", { "Retry-After": "10" });
  });
  const { code, tookMs } = await timed(() => clientOf(busy.url).report(IMPRINT, { signal: late.signal }));
  expect([code, busy.requests.length]).toEqual(["aborted", 1]);
  expect(tookMs).toBeLessThan(5000);
});

test("a signal that is none is refused before anything is asked, and leaves nothing behind that fails later", async () => {
  const service = await serve(hang);
  const rejected = vi.fn();
  process.on("unhandledRejection", rejected);
  onTestFinished(() => void process.off("unhandledRejection", rejected));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const signal = new AbortController() as unknown as AbortSignal;
  for (const call of [
    clientOf(service.url).report(IMPRINT, { signal }),
    clientOf(service.url).history(IMPRINT, { signal }),
  ])
    expect(await failureOf(call)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("signal") as string,
    });
  await vi.runAllTimersAsync();
  await new Promise(setImmediate);
  expect([rejected.mock.calls, service.requests]).toEqual([[], []]);
});

test("retries are spread over the whole wait, and none is made when they are switched off", async () => {
  const waits: number[] = [];
  let calls = 0;
  let lastAt = 0;
  const fetch = () => {
    const now = performance.now();
    if (calls++ % 2 === 1) waits.push(now - lastAt);
    lastAt = now;
    return Promise.resolve(new Response(null, { status: 503 }));
  };
  const client = clientOf("http://service.example", { fetch, retries: 1 });
  await Promise.all([failureOf(client.report(IMPRINT))]);
  for (let each = 0; each < 15; each += 1) await failureOf(client.report(IMPRINT));
  expect(Math.max(...waits)).toBeLessThan(5000);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(10);
  calls = 0;
  await failureOf(clientOf("http://service.example", { fetch, retries: 0 }).report(IMPRINT));
  expect(calls).toBe(1);
});

test("what is no imprint, no account and no acceptance id is refused without asking, as the service would", async () => {
  const service = await serve(report);
  const client = clientOf(service.url);
  for (const imprint of ["", "../x", `${IMPRINT}\n`, `${IMPRINT}/../x`, IMPRINT.toUpperCase()])
    expect((await failureOf(client.report(imprint))).code).toBe("report_not_found");
  expect((await failureOf(client.history("../x"))).code).toBe("report_not_found");
  for (const accountRef of ["ü", "a\nb", "x".repeat(129)])
    expect((await failureOf(client.report(IMPRINT, { accountRef }))).code).toBe("invalid_account_ref");
  for (const acceptance of ["", "a b", "ü", "a\r\nX-Api-Key: x", "x".repeat(129)])
    expect((await failureOf(client.report(IMPRINT, { acceptance }))).code).toBe("invalid_request");
  expect(service.requests).toHaveLength(0);
});

test("no answer whatsoever leads to anything but a Report or a typed failure", async () => {
  const replies: { status: number; headers: Record<string, string>; body: string }[] = [];
  const fetch = () => {
    const { status, headers, body } = replies[0] ?? { status: 200, headers: {}, body: "" };
    return Promise.resolve(new Response([204, 205, 304].includes(status) ? null : body, { status, headers }));
  };
  const client = clientOf("http://service.example", { fetch, retries: 0 });
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue().map((error) => JSON.stringify({ error })),
    fc.jsonValue().map((value) => JSON.stringify({ ...SAMPLE_REPORT, risk: value })),
    fc.constant(JSON.stringify(SAMPLE_REPORT)),
  );
  const header = fc.stringMatching(/^[\x21-\x7e]{0,20}$/);
  const names = ["Imprint-Delivery", "Imprint-Age", "Imprint-Confidence", "Retry-After", "Content-Length"];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 599 }),
      fc.dictionary(fc.constantFrom(...names), header),
      body,
      async (status, headers, text) => {
        replies[0] = { status, headers, body: text };
        const read = await client.report(IMPRINT).catch((error: unknown) => error);
        if (isImprintServerError(read)) return;
        expect(read).toMatchObject({ report: { imprint: IMPRINT, risk: { reasons: expect.any(Array) as unknown } } });
      },
    ),
    { numRuns: 300 },
  );
});
