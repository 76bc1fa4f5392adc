import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import type { PaymentRequired } from "@x402/core/types";
import { z } from "zod";

import { composeExactly } from "@/lib/contract/challenge-proof";
import { type OpenApiDocument, type Published, readPublished } from "@/test/published-api";
import { timingsFor } from "@/test/timings";
import { CHROME_USER_AGENT, ordinarySignals } from "@/test/visits";
import type { Role } from "@/lib/tenancy/workspaces";
import { accessToken, OAuthUser, registerClient, SCOPES } from "../common/oauth-user";
import { createBuyer } from "../sandbox/buyer";
import type { Sandbox } from "../sandbox/sandbox";
import { type PageAction, readActions, readPages } from "./build-manifest";
import { untilOnSale } from "../common/until";

/** Actions that only the operator of a service can do, through the command line or through the verbs. */
export type Operator = {
  createSite: (plan: "lite" | "enterprise") => Promise<Site>;
  /** Returns the member's id. */
  addMember: (workspaceId: string, email: string, role: Role) => Promise<string>;
  loginLink: (email: string) => Promise<string>;
  /** Returns the secret of a key with every scope. */
  createManagementKey: (workspaceId: string) => Promise<string>;
};
type Site = { workspaceId: string; webAppId: string; environmentId: string; apiKey: string; keyId: string };
type Claim = { intentId: string; token: string };
type Json = Record<string, unknown>;
export type Tool = { name: string; inputSchema: Json; outputSchema?: Json };

export const ORIGIN = "https://shop.example";
const REDIRECT_URI = "http://127.0.0.1:9/callback";
export const UNPROVEN_REDIRECT_URI = "https://unproven.example/callback";
const OWNER = "owner@example.com";
/** The user whose session makes changes; the session may be ended by a request. */
const CHANGER = "changer@example.com";
const VISITS = 12;
const SPARE_KEYS = 6;
const ZEROS = "0".repeat(32);

const Tools = z.object({
  result: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        outputSchema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
});

/** Sends a set-up request from a distinct client IP. */
async function ask(base: string, path: string, init: RequestInit = {}, number = 0): Promise<Json> {
  const headers = {
    "X-Forwarded-For": `10.255.${number >> 8}.${number & 255}`,
    ...(init.headers as Record<string, string>),
  };
  const response = await fetch(base + path, { ...init, headers });
  return (await response.json()) as Json;
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});

async function makeVisit(base: string, site: Site, number: number): Promise<{ imprint: string; token: string }> {
  const headers = { Origin: ORIGIN, "User-Agent": CHROME_USER_AGENT };
  const { environmentId: environment_id } = site;
  const issued = await ask(base, "/api/v1/imprints/challenge", post({ environment_id }, headers), number);
  const { challenge, token } = issued;
  const signals = ordinarySignals();
  const timings = timingsFor(signals);
  const body = { v: 1, environment_id, challenge: String(challenge), token, signals, timings };
  const composed = { ...post(undefined, headers), body: composeExactly(body) };
  const { imprint } = await ask(base, "/api/v1/imprints", composed, number);
  return { imprint: String(imprint), token: String(token) };
}

async function createIntent(base: string): Promise<Claim> {
  const intent = await ask(
    base,
    "/api/v1/agent/trial-intents",
    post({ product_code: "agent_trial_lite_100", origin: ORIGIN }),
    Math.floor(Math.random() * 60_000),
  );
  if (typeof intent["intent_id"] !== "string") throw new Error(`no intent was created: ${JSON.stringify(intent)}`);
  return { intentId: intent["intent_id"], token: String(intent["claim_token"]) };
}

/** Creates a paid trial and unpaid intents. */
async function buyTrial(base: string, sandbox: Sandbox) {
  const claims = await Promise.all(Array.from({ length: 4 }, () => createIntent(base)));
  const [paid = { intentId: "", token: "" }] = claims;
  const path = `/api/v1/agent/trial-intents/${paid.intentId}`;
  const bearer = { Authorization: `Bearer ${paid.token}` };
  const required = await ask(base, `${path}/activate`, { method: "POST", headers: bearer });
  const { header } = await createBuyer(sandbox.createAccount()).sign(
    PaymentRequiredV2Schema.parse(required) as PaymentRequired,
  );
  await ask(base, `${path}/activate`, { method: "POST", headers: { ...bearer, "PAYMENT-SIGNATURE": header } });
  const status = await ask(base, path, { headers: bearer });
  if (typeof status["api_key"] !== "string") throw new Error(`the trial is not active: ${JSON.stringify(status)}`);
  return { claims, payment: header, apiKey: status["api_key"], environmentId: String(status["environment_id"]) };
}

async function signIn(base: string, operator: Operator, email: string): Promise<OAuthUser> {
  const user = new OAuthUser(base);
  await user.signIn(await operator.loginLink(email));
  return user;
}

async function readTools(base: string, token: string): Promise<Tool[]> {
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" };
  const response = await fetch(`${base}/mcp`, post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, headers));
  const text = await response.text();
  const { result } = Tools.parse(JSON.parse(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "")));
  return result.tools.map(({ outputSchema, ...tool }) => ({ ...tool, ...(outputSchema && { outputSchema }) }));
}

/** Connects several clients of the user, since each has its own rate limit. */
async function connectClients(base: string, user: OAuthUser, workspaceId: string, count: number) {
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 1)
    tokens.push(await accessToken(base, user, { workspaceId, scopes: SCOPES }));
  const narrow = await accessToken(base, user, { workspaceId, scopes: ["svc.usage.read"] });
  const approved = await registerClient(base, { redirectUri: REDIRECT_URI });
  const unproven = await registerClient(base, { redirectUri: UNPROVEN_REDIRECT_URI });
  return { tokens, narrow, approved, unproven };
}

export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

type Options = { base: string; operator: Operator; sandbox: Sandbox | undefined; clients: number; pagesFolder: string };

async function readCsrf(base: string): Promise<{ token: string; cookie: string }> {
  const response = await fetch(`${base}/api/auth/csrf`);
  const { csrfToken: token } = (await response.json()) as { csrfToken: string };
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { token, cookie: cookies.join("; ") };
}

/** Creates API keys to be rotated and revoked. */
async function createKeys(base: string, managementKey: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${managementKey}`, "Content-Type": "application/json" };
  const ids: string[] = [];
  for (let number = 0; number < SPARE_KEYS; number += 1) {
    const body = JSON.stringify({ name: `Spare ${number}` });
    const created = await ask(base, "/api/v1/manage/keys", { method: "POST", headers, body });
    ids.push(String(created["key_id"]));
  }
  return ids;
}

const readReport = (base: string, apiKey: string, imprint = "") =>
  ask(base, `/api/v1/fingerprint/report/${imprint}`, { headers: { "X-API-Key": apiKey } });

async function readDocument(base: string): Promise<{ document: OpenApiDocument; published: Published }> {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApiDocument;
  return { document, published: readPublished(document) };
}

/** Creates everything that requests refer to: sites, visits, a trial, people with sessions, connected clients. */
export async function createFixtures({ base, operator, sandbox, clients, pagesFolder }: Options) {
  const { document, published } = await readDocument(base);
  const [site, lite, used] = await Promise.all([
    operator.createSite("enterprise"),
    operator.createSite("lite"),
    operator.createSite("enterprise"),
  ]);
  await operator.addMember(site.workspaceId, OWNER, "owner");
  const changerId = await operator.addMember(used.workspaceId, CHANGER, "owner");
  const visits: { imprint: string; token: string }[] = [];
  for (let number = 0; number < VISITS; number += 1) visits.push(await makeVisit(base, site, number));
  const liteVisit = await makeVisit(base, lite, VISITS);
  if (sandbox) await untilOnSale({ url: base });
  const trial = sandbox && (await buyTrial(base, sandbox));
  const owner = await signIn(base, operator, OWNER);
  const changer = await signIn(base, operator, CHANGER);
  const { tokens, ...oauth } = await connectClients(base, owner, site.workspaceId, clients);
  const managing = [used, used, site].map(({ workspaceId }) => operator.createManagementKey(workspaceId));
  const [managementKey = "", otherManagementKey = "", labelKey = ""] = await Promise.all(managing);
  const spareKeyIds = await createKeys(base, managementKey);
  const report = await readReport(base, site.apiKey, visits[0]?.imprint);
  const sessions = { owner: owner.cookie(), changer: changer.cookie() };
  return {
    base,
    published,
    document: { ...document } satisfies Json,
    site,
    lite,
    used,
    managementKey,
    otherManagementKey,
    labelKey,
    spareKeyIds,
    visits,
    liteImprint: liteVisit.imprint,
    deviceId: (report["device"] as { id: string } | undefined)?.id ?? `dev_${ZEROS}`,
    trial,
    sessions,
    changerId,
    oauth: { ...oauth, redirectUri: REDIRECT_URI },
    csrf: await readCsrf(base),
    accessTokens: tokens,
    tools: await readTools(base, tokens[0] ?? ""),
    pages: readPages(pagesFolder),
    actions: readActions(pagesFolder) as readonly PageAction[],
    /** Secrets that no answer may contain, except the one that hands them out. */
    secrets: {
      "server key": site.apiKey,
      "server key of another": lite.apiKey,
      "management key": managementKey,
      "another management key": otherManagementKey,
      "key that labels": labelKey,
      ...(trial && {
        "trial key": trial.apiKey,
        ...Object.fromEntries(trial.claims.map(({ token }, n) => [`claim ${n}`, token])),
      }),
      ...Object.fromEntries(tokens.map((token, number) => [`access token ${number}`, token])),
      session: /session-token=([^;]+)/.exec(sessions.owner)?.[1] ?? "",
    } as Record<string, string>,
  };
}
