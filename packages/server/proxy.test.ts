import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";

import { VISITOR_HEADER } from "@/lib/contract/visitor-text";
import { Report } from "@/lib/contract/report";
import { revokeKey } from "@/lib/tenancy/api-keys";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, type Site, submissionBody, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { pageHeaders, post, setUp, VISITOR, visitThrough } from "@/test/server-proxy";

const { db } = await createTestDatabase();

const reportOf = async (site: Site, imprint: string) =>
  Report.parse(await (await readReport(site.apiKey, imprint)).json());

test("a visit through the proxy is the visitor's: address and headers, and nothing to accuse", async () => {
  const site = await createSite(db);
  const { submitted } = await visitThrough(setUp(site), site);
  const { network, risk } = await reportOf(site, submitted.answer.imprint);
  expect([network.observed_ip, risk.status, risk.findings]).toEqual([VISITOR, "PASS", []]);
});

test("the token is kept in the cookie alone: 400 days, renewed with each answer, out of reach of scripts", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const first = await visitThrough(setup, site);
  expect(first.issued.cookie).toMatch(/^_i=[\w-]{44,50}; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/);
  expect([first.issued.answer.token, Object.keys(first.submitted.answer)]).toEqual([undefined, ["imprint"]]);
  const again = await visitThrough(setup, site, { jar: `other=1; ${first.jar}; _i_2=x` });
  expect([again.issued.jar, again.submitted.jar]).toEqual([first.jar, first.jar]);
  const device = (await reportOf(site, again.submitted.answer.imprint)).device;
  expect([device.seen_before, device.access_count]).toEqual([true, 2]);
});

test("a token that the page has from before is taken over, and the page told to forget it", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const before = await visit(site);
  const taken = await visitThrough(setup, site, { pageToken: before.token });
  expect(taken.submitted.answer).toEqual({ imprint: taken.submitted.answer.imprint, token: "" });
  expect(taken.jar).toBe(`_i=${before.token}`);
  const next = await visitThrough(setup, site, { jar: taken.jar });
  expect(Object.keys(next.submitted.answer)).toEqual(["imprint"]);
  expect((await reportOf(site, next.submitted.answer.imprint)).device.access_count).toBe(3);
});

test("a cookie that is tampered with, foreign or nonsense is no token and no error, and is replaced", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const foreign = (await visit(await createSite(db))).token;
  const own = (await visit(site)).token;
  const tampered = `${own.slice(0, 10)}${own.charAt(10) === "A" ? "B" : "A"}${own.slice(11)}`;
  for (const value of [tampered, foreign, "x", "é", '"; Path=/', "a".repeat(5000), "%00", ""]) {
    const { submitted, jar } = await visitThrough(setup, site, { jar: `_i=${encodeURI(value)}` });
    expect([value, submitted.status]).toEqual([value, 201]);
    expect(jar).toMatch(/^_i=[\w-]{44,50}$/);
    expect((await reportOf(site, submitted.answer.imprint)).device.seen_before).toBe(false);
  }
  expect(setup.errors).toEqual([]);
});

test("the cookie has the name of the site's choosing, and no Secure where a plain http page could not keep it", async () => {
  const site = await createSite(db, { origins: ["http://localhost:8080"] });
  const setup = setUp(site, { path: "/assets/q", cookie: { name: "sid.q" } });
  const request = new Request("http://localhost:8080/assets/q/a", {
    method: "POST",
    headers: pageHeaders({ origin: "http://localhost:8080" }),
    body: JSON.stringify({ environment_id: site.environmentId }),
  });
  const response = await setup.proxy(request, { address: "127.0.0.1" });
  expect(response?.headers.get("set-cookie")).toMatch(
    /^sid\.q=[\w-]{44,50}; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
  );
});

/** Where a browser keeps a cookie without `Path`. Source: RFC 6265, section 5.1.4. */
const keptAt = (url: string, cookie: string | null | undefined): string | undefined =>
  /; Path=([^;]+)/.exec(cookie ?? "")?.[1] ?? new URL(".", url).pathname.slice(0, -1);

test.each([
  ["as the site has it", "https://shop.example/_i/", "/_i/", "/_i"],
  ["with a prefix that something in front takes off", "https://shop.example/base/path/_i/", "/_i/", "/base/path/_i"],
])("below a path %s the browser brings the cookie back", async (_what, seenByBrowser, seenByServer, path) => {
  const site = await createSite(db);
  const { proxy } = setUp(site);
  const body = JSON.stringify({ environment_id: site.environmentId });
  const url = `https://shop.example${seenByServer}a`;
  const answer = await proxy(new Request(url, { method: "POST", headers: pageHeaders(site), body }), {
    address: VISITOR,
  });
  expect(keptAt(`${seenByBrowser}a`, answer?.headers.get("set-cookie"))).toBe(path);
});

test("a slash at the end, to which Next redirects under trailingSlash, changes nothing", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const { status, cookie } = await post(setup, site, "a/", JSON.stringify({ environment_id: site.environmentId }));
  expect([status, keptAt(`${site.origin}/_i/a/`, cookie)]).toEqual([200, "/_i"]);
  expect((await setup.proxy(new Request(`${site.origin}/_i/p/`)))?.status).toBe(200);
});

test("without a cookie of its own, and for the service's own names, the page keeps its token as ever", async () => {
  const site = await createSite(db);
  const body = JSON.stringify({ environment_id: site.environmentId });
  for (const [setup, name] of [
    [setUp(site, { cookie: false }), "a"],
    [setUp(site), "api/v1/imprints/challenge"],
  ] as const) {
    const { answer, cookie } = await post(setup, site, name, body, { cookie: "_i=anything" });
    expect([typeof answer.token, cookie]).toEqual(["string", null]);
  }
});

test("nothing that a page sees of the proxy has a name of the service", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const { issued, submitted } = await visitThrough(setup, site);
  const refused = await post(setup, { ...site, origin: "https://stranger.example" }, "a", "{}");
  for (const { headers } of [issued, submitted, refused])
    expect(
      [...headers.keys()].filter((name) => !["content-type", "cache-control", "set-cookie"].includes(name)),
    ).toEqual([]);
  const script = await setup.proxy(new Request(`${site.origin}/_i/any-name.js`));
  expect([...(script?.headers ?? [])].flat().join(" ")).not.toMatch(/imprint|request-id|fingerprint/i);
});

test("the secret is asked for once, and anew where the service refuses what was signed with an old one", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const keyRequests = () => setup.service.seen.filter(({ path }) => path.endsWith("/proxy-key")).length;
  await Promise.all(Array.from({ length: 5 }, () => visitThrough(setup, site)));
  expect(keyRequests()).toBe(1);
  vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let refusals = 0;
  const body = { error: { code: "visitor_signature_invalid", message: "" } };
  setup.service.fault = (path) =>
    path.endsWith("/challenge") && refusals++ < 1 ? Response.json(body, { status: 403 }) : undefined;
  expect((await visitThrough(setup, site)).submitted.status).toBe(201);
  expect([keyRequests(), setup.errors]).toEqual([2, []]);
});

test("this machine's clock may be wrong: the proxy signs by the service's", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const trueNow = Date.now();
  const realKey = setup.service.fetch;
  // The service answers by the true time, the proxy's machine is an hour ahead.
  const service: typeof fetch = async (input, init) => {
    vi.setSystemTime(trueNow);
    try {
      return await realKey(input, init);
    } finally {
      vi.setSystemTime(trueNow + 3_600_000);
    }
  };
  vi.useFakeTimers({ now: trueNow + 3_600_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect((await visitThrough(setUp(site, { fetch: service }), site)).submitted.status).toBe(201);
});

test("a key that is wrong or was revoked costs the visitor an imprint, not an error page, and the site is told what to do", async () => {
  const site = await createSite(db);
  const wrong = setUp({ apiKey: `${site.apiKey.slice(0, -1)}${site.apiKey.endsWith("0") ? "1" : "0"}` });
  const ask = JSON.stringify({ environment_id: site.environmentId });
  for (let times = 0; times < 3; times += 1) {
    const { status, answer } = await post(wrong, site, "a", ask);
    expect([status, answer.error?.code]).toEqual([503, "service_unavailable"]);
  }
  expect(wrong.errors).toEqual([
    expect.stringMatching(/^imprintProxy: the service refused apiKey.*Give the proxy a key/),
  ]);
  expect(wrong.service.seen).toHaveLength(1);
  const revoked = setUp(site);
  expect((await post(revoked, site, "a", ask)).status).toBe(200);
  await revokeKey(operatorContext(db), site);
  expect((await post(revoked, site, "a", ask)).status).toBe(503);
  expect(revoked.errors).toEqual([expect.stringContaining("visitor_key_refused: ")]);
});

test("what a visitor sends never makes the proxy ask for another secret", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const setup = setUp(site);
  const foreign = JSON.stringify({ environment_id: other.environmentId });
  for (let times = 0; times < 5; times += 1) expect((await post(setup, site, "a", foreign)).status).toBe(503);
  expect(setup.service.seen.filter(({ path }) => path.endsWith("/proxy-key"))).toHaveLength(1);
});

test("a refusal of the service reaches the page as it is", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const ask = JSON.stringify({ environment_id: site.environmentId });
  const stranger = await post(setup, { ...site, origin: "https://stranger.example" }, "a", ask);
  expect([stranger.status, stranger.answer.error?.code]).toEqual([403, "origin_not_allowed"]);
  expect((await post(setup, site, "b", "{")).answer.error?.code).toBe("invalid_request");
  expect(setup.errors).toEqual([]);
});

test.each([
  ["is not there", () => Promise.reject(new TypeError("fetch failed"))],
  ["hangs", () => new Promise<never>(() => undefined)],
  ["answers with a page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["redirects", () => Response.redirect("https://elsewhere.example", 302)],
  ["answers without end", () => new Response("x".repeat(3_000_000))],
])("a service that %s costs an imprint, not an error page", async (_what, fault) => {
  const site = await createSite(db);
  const setup = setUp(site, { timeoutMs: 200 });
  setup.service.fault = (path) => (path.endsWith("/challenge") ? fault() : undefined);
  const { status, answer } = await post(setup, site, "a", JSON.stringify({ environment_id: site.environmentId }));
  expect([status, answer.error?.code]).toEqual([503, "service_unavailable"]);
  expect(setup.errors).toHaveLength(1);
});

test("a body that is too long is refused without a word to the service", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  expect((await post(setup, site, "a", "x".repeat(2049))).status).toBe(413);
  expect((await post(setup, site, "b", "x".repeat(16 * 1024 + 1))).status).toBe(413);
  expect(setup.service.seen).toEqual([]);
});

test("a body that something has read before is told to the site, not held against the visitor", async () => {
  const site = await createSite(db);
  const body = JSON.stringify({ environment_id: site.environmentId });
  const consume: ((request: Request) => unknown)[] = [
    (request) => request.text(),
    (request) => request.body?.getReader(),
  ];
  for (const read of consume) {
    const setup = setUp(site);
    const request = new Request(`${site.origin}/_i/a`, { method: "POST", headers: pageHeaders(site), body });
    await read(request);
    expect((await setup.proxy(request, { address: VISITOR }))?.status).toBe(503);
    expect(setup.errors).toEqual([expect.stringContaining("has read the body")]);
  }
});

test("other paths are the site's own, other methods and names are refused", async () => {
  const { proxy } = setUp(await createSite(db));
  const ask = async (path: string, method = "GET") =>
    (await proxy(new Request(`https://shop.example${path}`, { method })))?.status;
  for (const path of ["/", "/_i", "/_ix/a", "/x/_i/a", "/sign-in"]) expect(await ask(path)).toBeUndefined();
  expect(await ask("/_i/a")).toBe(405);
  expect(await ask("/_i/c.js", "POST")).toBe(405);
  for (const path of [
    "/_i/",
    "/_i/x",
    "/_i/x/",
    "/_i/a//",
    "/_i/../v1/manifest.json",
    "/_i/api/v1/fingerprint/report/x",
  ])
    expect([404, undefined]).toContain(await ask(path));
});

test("a visitor without a known address is not passed off as the proxy, and the site is told", async () => {
  const site = await createSite(db);
  for (const address of [undefined, null, "", "unknown", "8.8.8.8, 1.1.1.1", "shop.example"]) {
    const setup = setUp(site, { clientAddress: () => address });
    const body = JSON.stringify({ environment_id: site.environmentId });
    expect((await post(setup, site, "a", body)).status).toBe(503);
    expect(setup.errors).toEqual([expect.stringContaining("clientAddress")]);
  }
});

test.each([
  ["8.8.8.8:51234", "8.8.8.8"],
  ["[2001:4860:4860::8888]:443", "2001:4860:4860::8888"],
  ["::ffff:8.8.4.4", "8.8.4.4"],
  [" 1.1.1.1 ", "1.1.1.1"],
])("an address written as %s is %s", async (given, expected) => {
  const site = await createSite(db);
  const setup = setUp(site, { clientAddress: (request) => request.headers.get("x-real-ip") });
  const headers = pageHeaders(site, { "x-real-ip": given });
  const ask = (name: string, body: string) =>
    setup.proxy(new Request(`${site.origin}/_i/${name}`, { method: "POST", headers, body }));
  const issued = (await (await ask("a", JSON.stringify({ environment_id: site.environmentId })))?.json()) as {
    challenge: string;
  };
  const submitted = (await (await ask("b", submissionBody(site, issued)))?.json()) as { imprint: string };
  expect((await reportOf(site, submitted.imprint)).network.observed_ip).toBe(expected);
});

test("only what the service reads of a visitor's headers leaves the site; of the others it gets the names", async () => {
  const site = await createSite(db);
  const setup = setUp(site);
  const secrets = { cookie: "session=secret", authorization: "Bearer secret", "x-user": "secret" };
  await post(setup, site, "a", JSON.stringify({ environment_id: site.environmentId }), secrets);
  const { headers } = setup.service.seen.find(({ path }) => path.endsWith("/challenge")) ?? { headers: new Headers() };
  const payload = Buffer.from((headers.get(VISITOR_HEADER) ?? "").split(".")[3] ?? "", "base64url").toString();
  expect(JSON.stringify([...headers]) + payload).not.toContain("secret");
  expect(payload).toContain('["authorization"]');
});

test("two workspaces' proxies never speak for each other, whatever key is known", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const setup = setUp(other);
  const { status } = await post(setup, site, "a", JSON.stringify({ environment_id: site.environmentId }));
  expect(status).toBe(503);
  const [row] = await db.execute<{ visits: number }>(
    sql`select count(*)::int as visits from visits where workspace_id = ${site.workspaceId.slice(-32)}::uuid`,
  );
  expect(row?.visits).toBe(0);
});
