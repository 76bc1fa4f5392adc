import type { FoundOperation } from "@/test/published-api";
import { CHROME_USER_AGENT, ordinarySignals } from "@/test/visits";

import { type Draw, hostileText, misspell, mutate } from "./draw";
import { arbitraryOf, type Schema } from "./from-schema";
import { CHALLENGE_MARK, encode, finish, type FuzzRequest, queryText } from "./request";
import type { Pairs } from "./wire";
import { ORIGIN, type Fixtures } from "./fixtures";

type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Declared = {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  /** Body fields of which a request has exactly one. */
  "x-exactly-one-of"?: string[];
};

const NOBODY = "0".repeat(32);
/** Share of requests that follow the document; the others are malformed. */
const ACCEPTABLE = 0.45;

const resolverOf =
  ({ document }: Fixtures) =>
  (reference: string): Schema =>
    reference
      .replace("#/", "")
      .split("/")
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as Schema; // safe: the document names its own parts

const declaredOf = ({ document }: Fixtures, { path, method }: FoundOperation): Declared =>
  ((document["paths"] as Record<string, Record<string, Declared>>)[path] ?? {})[method.toLowerCase()] ?? {};

function paramOf(draw: Draw, fixtures: Fixtures, name: string): string {
  const known = {
    imprint: () => draw.pick([...fixtures.visits.map(({ imprint }) => imprint), fixtures.liteImprint, `imp_${NOBODY}`]),
    intentId: () => draw.pick(fixtures.trial?.claims.map((claim) => claim.intentId) ?? [`ati_${NOBODY}`]),
    webAppId: () => draw.pick([fixtures.used.webAppId, fixtures.used.webAppId, fixtures.site.webAppId]),
    keyId: () => draw.pick([...fixtures.spareKeyIds, fixtures.used.keyId, fixtures.site.keyId]),
  }[name];
  if (!known || draw.chance(0.1)) return encode(draw, hostileText(draw));
  return draw.chance(0.05) ? known().toUpperCase() : known();
}

/** Usually the credential that belongs to the request; otherwise none, another party's, a broken or a misplaced one. */
function credentialOf(
  draw: Draw,
  fixtures: Fixtures,
  declared: Declared,
  path: string,
): { headers: Pairs; isRight: boolean } {
  const [scheme] = Object.keys(declared.security?.[0] ?? {});
  const { trial, site, lite } = fixtures;
  const claim = trial?.claims.find(({ intentId }) => path.includes(intentId)) ?? trial?.claims[0];
  const isTrial = trial !== undefined && (path.endsWith("/agent/trial") || draw.chance(0.03));
  const key = isTrial ? trial.apiKey : site.apiKey;
  const managing = path.startsWith("/api/v1/labels")
    ? fixtures.labelKey
    : draw.pick([fixtures.managementKey, fixtures.otherManagementKey]);
  const right: Record<string, Pairs> = {
    apiKey: [["X-API-Key", key]],
    claimToken: [["Authorization", `Bearer ${claim?.token ?? "none"}`]],
    managementKey: [["Authorization", `Bearer ${managing}`]],
  };
  const own = right[scheme ?? ""];
  if (!own) return { headers: [], isRight: true };
  if (draw.chance(0.8)) return { headers: own, isRight: true };
  const wrong: Pairs[] = [
    [],
    [["X-API-Key", lite.apiKey]],
    [["X-API-Key", `${key.slice(0, -1)}x`]],
    [["X-API-Key", hostileText(draw)]],
    [["X-API-Key", fixtures.accessTokens[0] ?? ""]],
    [
      ["X-API-Key", key],
      ["X-API-Key", lite.apiKey],
    ],
    [["Authorization", `Bearer ${key}`]],
    [["X-API-Key", fixtures.managementKey]],
    [["Authorization", `Bearer ${fixtures.managementKey.slice(0, -1)}x`]],
    [["Authorization", `bearer ${trial?.claims.at(-1)?.token ?? ""}`]],
    [["Authorization", `Bearer ${hostileText(draw)}`]],
    [["Cookie", fixtures.sessions.owner]],
  ];
  return { headers: draw.pick(wrong), isRight: false };
}

/** Origins other than the site's own; they may be added and removed. */
const OTHER_ORIGINS = ["https://agent.example", "http://localhost:8080"];

/** Replaces generated values with ids and names that the service knows. */
function bind(draw: Draw, fixtures: Fixtures, body: unknown, share: number): unknown {
  if (typeof body !== "object" || body === null) return body;
  const known: Record<string, unknown> = {
    environment_id: draw.chance(0.05) ? `env_${NOBODY}` : fixtures.site.environmentId,
    challenge: CHALLENGE_MARK,
    token: draw.pick(fixtures.visits).token,
    imprint: draw.pick(fixtures.visits).imprint,
    product_code: "agent_trial_lite_100",
    name: draw.pick(["Shop", "Käse & Brot", "<b>server</b>"]),
    origin: draw.pick([ORIGIN, ...OTHER_ORIGINS]),
    ...(fixtures.trial && { claim_token: draw.pick(fixtures.trial.claims).token }),
    ...(draw.chance(0.5) && { signals: ordinarySignals() }),
  };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name in known && draw.chance(share) ? known[name] : value]),
  );
}

/** Reduces a body to one of its mutually exclusive fields; adds a visit if it has none. */
function withOneOf(draw: Draw, fixtures: Fixtures, fields: readonly string[] | undefined, body: unknown): unknown {
  if (!fields || typeof body !== "object" || body === null) return body;
  const given: [string, unknown][] = Object.entries(body).filter(([name]) => fields.includes(name));
  const others = Object.entries(body).filter(([name]) => !fields.includes(name));
  const [name, value]: [string, unknown] =
    given.length > 0 ? draw.pick(given) : ["imprint", draw.pick(fixtures.visits).imprint];
  return Object.fromEntries([...others, [name, value]]);
}

function bodyOf(draw: Draw, fixtures: Fixtures, declared: Declared, isAcceptable: boolean): Buffer | undefined {
  const schema = declared.requestBody?.content["application/json"]?.schema;
  if (!schema) return !isAcceptable && draw.chance(0.1) ? Buffer.from(hostileText(draw)) : undefined;
  const drawn = bind(draw, fixtures, draw.from(arbitraryOf(schema, resolverOf(fixtures))), isAcceptable ? 1 : 0.9);
  const body = isAcceptable ? withOneOf(draw, fixtures, declared["x-exactly-one-of"], drawn) : drawn;
  if (isAcceptable || draw.chance(0.2)) return Buffer.from(JSON.stringify(body));
  const wrong = JSON.stringify(mutate(draw, draw.chance(0.3) ? mutate(draw, body) : body)) as string | undefined;
  return draw.chance(0.25) ? misspell(draw, wrong ?? "") : Buffer.from(wrong ?? "");
}

/** Query and header parameters; `isExact` if they match their schemas. */
function parametersOf(draw: Draw, fixtures: Fixtures, declared: Declared, isAcceptable: boolean) {
  const query: Pairs = [];
  const headers: Pairs = [];
  for (const parameter of declared.parameters ?? []) {
    if (parameter.in === "path" || (!parameter.required && draw.chance(0.5))) continue;
    const isWrong = !isAcceptable && draw.chance(0.5);
    const right = () =>
      parameter.name === "origin"
        ? draw.pick(OTHER_ORIGINS)
        : String(draw.from(arbitraryOf(parameter.schema, resolverOf(fixtures))));
    const value = isWrong ? hostileText(draw) : right();
    (parameter.in === "query" ? query : headers).push([parameter.name, value]);
  }
  if (!isAcceptable && draw.chance(0.1)) query.push(draw.pick([["extra", "1"], ["__proto__", "1"], ...query]));
  return { query, headers };
}

/**
 * Constraints that the document cannot express: requests with these may be refused although each field matches its
 * declaration.
 */
const hasUnexpressed = (query: Pairs, headers: Pairs): boolean =>
  query.some(([name]) => name === "from" || name === "to") ||
  headers.some(([name]) => name === "x-account-ref" || name === "payment-signature");

const PAYMENTS = (draw: Draw, fixtures: Fixtures): Pairs =>
  fixtures.trial && draw.chance(0.3) ? [["PAYMENT-SIGNATURE", fixtures.trial.payment]] : [];

/** Builds a request to one operation of the published document. */
export function buildApiRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const operation = draw.pick(fixtures.published.operations);
  const declared = declaredOf(fixtures, operation);
  const isAcceptable = draw.chance(ACCEPTABLE);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => paramOf(draw, fixtures, name));
  const credential = credentialOf(draw, fixtures, declared, path);
  const { query, headers } = parametersOf(draw, fixtures, declared, isAcceptable);
  const body = bodyOf(draw, fixtures, declared, isAcceptable);
  const isOfPage = path.startsWith("/api/v1/imprints");
  const origin = draw.chance(isAcceptable ? 0.97 : 0.8)
    ? ORIGIN
    : draw.pick(["null", "https://evil.example", `${ORIGIN}/`]);
  const pageHeaders: Pairs = [
    ["Origin", origin],
    ["User-Agent", CHROME_USER_AGENT],
  ];
  const payments = operation.path.endsWith("/activate") ? PAYMENTS(draw, fixtures) : [];
  const content: Pairs = body ? [["Content-Type", "application/json"]] : [];
  const request: FuzzRequest = {
    operation: operation.id,
    kind: "api",
    method: operation.method,
    path: path + queryText(draw, query),
    headers: [...credential.headers, ...(isOfPage ? pageHeaders : []), ...headers, ...payments, ...content],
    body,
    ...(isAcceptable && credential.isRight && !hasUnexpressed(query, [...headers, ...payments]) && { isAcceptable }),
    ...(body?.includes(CHALLENGE_MARK) && {
      challenge: { environmentId: fixtures.site.environmentId, origin: ORIGIN },
    }),
  };
  return finish(draw, request, isAcceptable ? 0.1 : 0.4);
}
