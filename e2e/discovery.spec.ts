import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { checkEndpointSchema, getProbe, getWarningsFor402Body } from "@agentcash/discovery";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import {
  extractOffersFromPaymentRequired,
  type JWSSignedOffer,
  verifyOfferSignatureJWS,
} from "@x402/extensions/offer-receipt";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { findDeadLinks } from "./discovery/crawl";
import { isRunning, processTree, ROOT } from "./process/service";
import { type RunningService, startService, TEST_SECRETS, untilOnSale } from "./service";

const { url: databaseUrl } = await createTestDatabase();
const sandbox = await startSandbox();
let service: RunningService;

beforeAll(async () => {
  service = await startService({ databaseUrl, environment: { ...TEST_SECRETS, ...sandbox.variables } });
  await untilOnSale(service);
});
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});

type Target = { href: string; type?: string };
type Linkset = { linkset: ({ anchor: string } & Record<string, Target[] | string>)[] };

const SINGLE_CALL = "/api/v1/agent/trial";

async function readCatalog(): Promise<Linkset> {
  const products = await fetch(`${service.url}/api/v1/agent/products`);
  expect(products.headers.get("link")).toBe("</.well-known/api-catalog>; rel=api-catalog");
  const catalog = await fetch(new URL("/.well-known/api-catalog", products.url));
  expect(catalog.status).toBe(200);
  expect(catalog.headers.get("content-type")).toMatch(/^application\/linkset\+json/);
  return (await catalog.json()) as Linkset;
}

const targetsOf = ({ linkset }: Linkset): Target[] =>
  linkset.flatMap((context) => Object.values(context).flatMap((each) => (Array.isArray(each) ? each : [])));

const isMetadata = (href: string) => href.includes("/.well-known/");

test("the products link leads to a catalog in which every URL responds with the declared type", async () => {
  const catalog = await readCatalog();
  const targets = targetsOf(catalog).filter(
    ({ href }) => !/\/mcp$/.test(href.slice(service.url.length)) || isMetadata(href),
  );
  expect(targets.length).toBeGreaterThan(4);
  for (const { href, type } of targets) {
    const response = await fetch(href);
    await response.arrayBuffer();
    expect(`${response.status} ${href}`).toBe(`200 ${href}`);
    const [expected] = (type ?? "").split(";");
    if (expected === "text/html" || expected === "text/plain") {
      expect(response.headers.get("content-type")).toContain(expected);
    }
  }
});

test("the catalog links to the metadata of the MCP server, which names that server", async () => {
  const mcp = (await readCatalog()).linkset.find(({ anchor }) => anchor === `${service.url}/mcp`);
  const [metadata] = (mcp?.["service-meta"] ?? []) as Target[];
  const response = await fetch(metadata?.href ?? "");
  expect(await response.json()).toMatchObject({ resource: `${service.url}/mcp` });
});

test("a HEAD request of the catalog returns the link to itself", async () => {
  const response = await fetch(`${service.url}/.well-known/api-catalog`, { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("link")).toBe("</.well-known/api-catalog>; rel=api-catalog");
});

/** Current prices in the three descriptions. */
async function readOffers() {
  const read = async (path: string) => await (await fetch(service.url + path)).text();
  const { products } = JSON.parse(await read("/api/v1/agent/products")) as {
    products: { available: boolean; price?: Record<string, string> }[];
  };
  const { paths, servers } = JSON.parse(await read("/openapi.json")) as {
    servers: { url: string }[];
    paths: Record<string, { post?: { "x-payment-info"?: { price?: object; protocols: object[] } } }>;
  };
  const text = await read("/llms.txt");
  return { product: products[0], payment: paths[SINGLE_CALL]?.post?.["x-payment-info"], servers, text };
}

test("catalog, OpenAPI document and llms.txt give the same current price, with absolute URLs", async () => {
  const { product, payment, servers, text } = await readOffers();
  expect(product).toMatchObject({ available: true, price: { amount_atomic: "1000000", network: "eip155:31337" } });
  const price = product?.price ?? {};
  expect(payment).toEqual({
    price: { mode: "fixed", amount: "1", currency: "USD" },
    protocols: [
      {
        x402: {
          ...{ version: 2, scheme: "exact", network: "eip155:31337", asset: price["asset"] },
          ...{ amount: "1000000", pay_to: price["pay_to"] },
        },
      },
    ],
  });
  expect(servers).toEqual([{ url: service.url }]);
  expect(text).toMatch(/^# Imprint\n\n> /);
  expect(text).toContain(`costs 1000000 atomic units of ${price["asset"] ?? ""} on eip155:31337`);
  const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, href]) => href ?? "");
  expect(links.length).toBeGreaterThan(5);
  for (const href of links) expect(`${(await fetch(href)).status} ${href}`).toBe(`200 ${href}`);
});

test("an indexer's tool finds the single-call purchase with its price and fields, and a payable challenge at its URL", async () => {
  const checked = await checkEndpointSchema({ url: service.url + SINGLE_CALL, probe: true });
  if (!checked.found) throw new Error(checked.message ?? checked.cause);
  const single = checked.advisories.find(({ method }) => method === "POST");
  expect(single).toMatchObject({ authMode: "paid", inputSchema: expect.any(Object) as object });
  const probed = await getProbe(service.url + SINGLE_CALL);
  const [answer] = probed.unwrapOr([]).filter(({ method }) => method === "POST");
  expect(answer).toMatchObject({ authHint: "paid", paymentRequiredBody: { x402Version: 2 } });
  expect(getWarningsFor402Body(answer?.paymentRequiredBody).filter(({ severity }) => severity !== "info")).toEqual([]);
});

test("the offer in a challenge can be verified with the key that the service publishes", async () => {
  const body = JSON.stringify({ origin: "https://agent.example", claim_token: randomBytes(32).toString("hex") });
  const response = await fetch(service.url + SINGLE_CALL, { method: "POST", body });
  const required = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
  const [offer] = extractOffersFromPaymentRequired(required) as JWSSignedOffer[];
  if (!offer) throw new Error("there is no offer");
  expect(await verifyOfferSignatureJWS(offer)).toMatchObject({
    resourceUrl: service.url + SINGLE_CALL,
    amount: "1000000",
  });
});

test("no price is shown anywhere while the trial cannot be bought", async () => {
  await service.admin("product", "disable");
  try {
    // The document may be cached for a second.
    const terms = { protocols: [{ x402: { version: 2, scheme: "exact" } }] };
    await expect.poll(async () => (await readOffers()).payment, { timeout: 10_000 }).toEqual(terms);
    const { product, text } = await readOffers();
    expect(product).toMatchObject({ available: false });
    expect(product).not.toHaveProperty("price");
    expect(text).toContain("cannot be bought at present");
    expect(text).not.toContain("1000000");
  } finally {
    await service.admin("product", "enable");
  }
});

const STARTS = [
  ...["/", "/docs", "/docs/api", "/docs/errors", "/docs/reasons", "/docs/search?q=key", "/llms.txt", "/SKILL.md"],
  ...["api-catalog", "oauth-authorization-server", "openid-configuration"].map((name) => `/.well-known/${name}`),
  ...["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"],
  ...["/openapi.json", "/api/v1/agent/products"],
];

test("no link in any page, document or metadata of the service is broken, including anchors", async () => {
  const raw = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const served: string[] = [];
  for (const name of raw) {
    const response = await fetch(`${service.url}/docs/${name}`);
    await response.arrayBuffer();
    if (response.status === 200) served.push(`/docs/${name}`);
  }
  expect(served.length).toBeGreaterThan(10);
  const { seen, dead } = await findDeadLinks(service.url, [...STARTS, ...served]);
  expect(dead).toEqual([]);
  expect(seen).toBeGreaterThan(80);
});

test("every documentation page is served as Markdown on request, at a fraction of its size", async () => {
  const fetchAs = (path: string, accept: string) => fetch(`${service.url}${path}`, { headers: { Accept: accept } });
  const index = await (await fetchAs("/docs", "text/markdown")).text();
  const named = [...index.matchAll(/\]\((\/docs\/[\w-]+)\.md\)/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(15);
  for (const path of [...named, "/docs/errors/quota_exhausted"]) {
    const html = await fetchAs(path, "text/html,*/*;q=0.8");
    const page = await html.text();
    expect(html.headers.get("content-type")).toContain("text/html");
    for (const [address, accept] of [
      [path, "text/markdown, text/html, */*"],
      [`${path}.md`, "*/*"],
    ] as const) {
      const response = await fetchAs(address, accept);
      expect([address, response.status, response.headers.get("content-type")]).toEqual([
        address,
        200,
        "text/markdown; charset=utf-8",
      ]);
      const markdown = await response.text();
      expect(markdown).toMatch(/^# /);
      expect(markdown).not.toMatch(/\{\{base_url|\[object Object/);
      expect(page).toContain(`href="${path}.md"`);
      expect(markdown.length).toBeLessThan(page.length);
    }
  }
  expect((await fetchAs("/docs/no-such-page.md", "*/*")).status).toBe(404);
});

/** CPU time in milliseconds used so far by the service's own processes. */
function computedMs(): number {
  const own = processTree(service.root.pid ?? 0).filter((id) => isRunning(id));
  const ticks = own.map((id) => {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return stat.includes("(postgres)") ? 0 : Number(fields[11]) + Number(fields[12]);
  });
  return 10 * ticks.reduce((sum, each) => sum + each, 0);
}

/** Enough that garbage collections and background jobs do not affect the result. */
const MEASURED_REQUESTS = 50;
const BYTES_WRITTEN_PER_MS = 15_000;

async function costOf(path: string): Promise<{ milliseconds: number; size: number }> {
  const read = async () => (await fetch(service.url + path)).text();
  let text = "";
  for (let warming = 0; warming < 10; warming += 1) text = await read();
  const before = computedMs();
  for (let request = 0; request < MEASURED_REQUESTS; request += 1) await read();
  return { milliseconds: (computedMs() - before) / MEASURED_REQUESTS, size: text.length };
}

test("a documentation page costs about as much as any other page of its length: nothing is highlighted per request", async () => {
  const plain = await costOf("/docs");
  for (const path of ["/docs/component", "/docs/agent-trial", "/docs/quickstart", "/docs/api"]) {
    const { milliseconds, size } = await costOf(path);
    // The API reference is 1.5 MB, which takes time to write.
    const writingMs = Math.max(0, size - plain.size) / BYTES_WRITTEN_PER_MS;
    expect(milliseconds, path).toBeLessThan(2 * Math.max(5, plain.milliseconds) + writingMs);
  }
  const built = join(ROOT, ".test/next/server");
  const bundles = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const withHighlighter = bundles.filter((file) =>
    /codeToTokens|createHighlighterCore/.test(readFileSync(join(built, file), "utf8")),
  );
  expect(bundles.length).toBeGreaterThan(20);
  expect(withHighlighter).toEqual([]);
});
