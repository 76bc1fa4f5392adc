import { type Draw, hostileText, hostileValue, mutate } from "./draw";
import { encode, finish, type FuzzRequest, queryText } from "./request";
import type { Pairs } from "./wire";
import type { Fixtures } from "./fixtures";

const ZEROS = "0".repeat(32);
const ZONE = "Europe/Berlin";

/** Parameters that pages and files read, with values that some of them accept. */
const PARAMETERS: Record<string, readonly string[]> = {
  risk: ["DECEPTIVE", "PASS"],
  reason: ["AUTOMATION_DETECTED"],
  country: ["DE", "xx"],
  connection: ["hosting"],
  asn: ["3320", "-1"],
  browser: ["Chrome"],
  system: ["Windows"],
  app: [`app_${ZEROS}`],
  account: [`acc_${ZEROS}`],
  address: ["192.0.2.1", "::1"],
  device: [`dev_${ZEROS}`],
  search: ["shop"],
  span: ["24h", "90d"],
  from: ["2026-01-01", "2026-01-01T00:00"],
  to: ["2026-12-31", "2026-12-31T23:59"],
  zone: [ZONE, "UTC"],
  before: [`imp_${ZEROS}`, "2026-01-01T00:00:00.000Z"],
  after: [`imp_${ZEROS}`],
  since: ["2026-01-01T00:00:00.000Z"],
  at: ["2026-01-01T00:00:00.000Z"],
  of: ["192.0.2.1"],
  why: ["unknown"],
  q: ["shop", "imp_"],
  query: ["shop"],
  format: ["csv", "json"],
  tool: ["svc_get_report"],
  client: ["x"],
  member: [`usr_${ZEROS}`],
  actor: [`usr_${ZEROS}`],
  action: ["key.create"],
  status: ["active", "revoked"],
  days: ["30"],
  by: ["key", "day"],
  key: [`key_${ZEROS}`],
  page: ["2"],
  next: ["/w/x", "/"],
  error: ["Verification", "AccessDenied"],
  token: ["x"],
  email: ["ada@example.com"],
  callbackUrl: ["/w/x"],
  code: ["x"],
  state: ["x"],
  ref: ["42"],
};
const NAMES = Object.keys(PARAMETERS);

const DOCUMENTS = [
  ...[
    "/openapi.json",
    "/llms.txt",
    "/SKILL.md",
    "/v1/imprint.js",
    "/v1/manifest.json",
    "/healthz",
    "/readyz",
    "/docs/api",
  ],
  ...[
    "/icon.svg",
    "/robots.txt",
    "/favicon.ico",
    "/_next/static/x.js",
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/.well-known/x",
  ],
  ...[
    "/oauth/jwks",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource/mcp",
    "/api",
    "/api/v1",
    "/api/v1/x",
  ],
];

function segmentOf(draw: Draw, fixtures: Fixtures, name: string): string {
  if (draw.chance(0.15)) return encode(draw, hostileText(draw)) || "x";
  const known: Record<string, readonly string[]> = {
    workspaceId: draw.chance(0.9) ? [fixtures.site.workspaceId] : [fixtures.lite.workspaceId, `ws_${ZEROS}`],
    imprint: fixtures.visits.map(({ imprint }) => imprint),
    deviceId: [fixtures.deviceId, `dev_${ZEROS}`],
    webAppId: [fixtures.site.webAppId, fixtures.lite.webAppId],
    keyId: [`key_${ZEROS}`],
    accountId: [`acc_${ZEROS}`],
    intentId: [fixtures.trial?.claims[0]?.intentId ?? `ati_${ZEROS}`],
    uid: ["x".repeat(43)],
    code: ["rate_limited", "constructor", "auth_failed"],
    file: ["quickstart.md", "risk.md", "../README.md"],
    "...slug": ["quickstart", "risk", "a/b/c"],
    "...nextauth": ["session", "providers", "csrf", "signin", "error", "callback/email", "signin/email"],
  };
  return draw.pick(known[name] ?? ["x"]);
}

const fillPath = (draw: Draw, fixtures: Fixtures, route: string): string =>
  route.replaceAll(/\[([\w.]+)\]/g, (_, name: string) => segmentOf(draw, fixtures, name));

function drawQuery(draw: Draw): Pairs {
  const count = draw.pick([0, 0, 1, 2, 4]);
  return Array.from({ length: count }, () => {
    const name = draw.chance(0.95) ? draw.pick(NAMES) : hostileText(draw);
    const isHostile = draw.chance(0.6) || !Object.hasOwn(PARAMETERS, name);
    return [name, isHostile ? hostileText(draw) : draw.pick(PARAMETERS[name] ?? ["x"])];
  });
}

const cookiesOf = (draw: Draw, session: string): Pairs => {
  const kind = draw.below(20);
  if (kind === 0) return [];
  if (kind === 1) return [["Cookie", `authjs.session-token=${encode(draw, hostileText(draw))}`]];
  if (kind === 2)
    return [
      ["Cookie", `${session}; theme=${encode(draw, hostileText(draw))}; zone=${encode(draw, hostileText(draw))}`],
    ];
  return [["Cookie", session]];
};

/** Builds a signed-in request for a page or file. */
export function buildPageRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const isDocument = draw.chance(0.1);
  const route = isDocument ? draw.pick(DOCUMENTS) : draw.pick(fixtures.pages);
  const query = queryText(draw, drawQuery(draw));
  const path = fillPath(draw, fixtures, route) + (route.includes("?") ? query.replace("?", "&") : query);
  const accept = draw.chance(0.8) ? "text/html" : "*/*";
  return finish(
    draw,
    {
      operation: isDocument ? "documents" : route,
      kind: "page",
      method: "GET",
      path,
      headers: [["Accept", accept], ...cookiesOf(draw, fixtures.sessions.owner)],
    },
    0.3,
  );
}

const ANY_ID = [
  "keyId",
  "webAppId",
  "userId",
  "invitationId",
  "viewId",
  "deviceId",
  "intentId",
  "sessionId",
  "clientId",
  "accountId",
];
const idFor = (name: string): string =>
  `${{ keyId: "key", webAppId: "app", userId: "usr", invitationId: "inv", viewId: "view", deviceId: "dev", intentId: "ati" }[name] ?? "ses"}_${ZEROS}`;

/** Fields of the Console's actions; strict actions refuse unknown fields. */
function inputOf(draw: Draw, fixtures: Fixtures): Record<string, unknown> {
  const id = draw.pick(ANY_ID);
  const fields: [string, unknown][] = [
    ["workspaceId", fixtures.used.workspaceId],
    [id, idFor(id)],
    ["name", "Shop"],
    ["email", "once@example.com"],
    ["role", draw.pick(["analyst", "owner"])],
    ["canSeeAddresses", false],
    ["origins", ["https://a.example"]],
    ["origin", "https://a.example"],
    ["query", "risk=DECEPTIVE"],
    ["accountRef", "42"],
    ["overlap", "0"],
    ["reason", "x"],
    ["token", "x"],
  ];
  return Object.fromEntries(fields.filter(([name], index) => index < 2 || name === "name" || draw.chance(0.3)));
}

/** Actions that would end the session needed by other requests. */
const ENDING = /signOut|endSession|endOther|deleteWorkspace/i;

function multipart(fields: readonly [string, string][]): { body: Buffer; type: string } {
  const boundary = "----fuzz";
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${parts.join("")}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Builds a direct request to a server action: as scripts call it, or as a form without scripts. */
export function buildActionRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const action = draw.pick(fixtures.actions);
  const route = draw.pick(action.pages.length > 0 ? action.pages : ["/"]);
  const session = ENDING.test(action.name) ? "authjs.session-token=none" : fixtures.sessions.changer;
  const path = fillPath(draw, { ...fixtures, site: fixtures.used }, route);
  const input = draw.chance(0.7) ? mutate(draw, inputOf(draw, fixtures)) : inputOf(draw, fixtures);
  const origin: [string, string] = [
    "Origin",
    draw.chance(0.9) ? fixtures.base : draw.pick(["null", "https://evil.example", hostileText(draw)]),
  ];
  const id = draw.chance(0.95) ? action.id : draw.pick(["x", "__proto__", `${action.id}0`, hostileText(draw)]);
  const common = { operation: `action ${action.name}`, kind: "action" as const, method: "POST", path };
  const headers: Pairs = [["Cookie", session], origin];
  if (draw.chance(0.25)) {
    const name = draw.pick([
      "email",
      "next",
      "token",
      "provider",
      "1_email",
      hostileText(draw).replaceAll(/[\r\n"]/g, ""),
    ]);
    const { body, type } = multipart([
      [`$ACTION_ID_${id}`, ""],
      [name, hostileText(draw)],
      ["0", JSON.stringify([input, "$K1"])],
    ]);
    return finish(draw, { ...common, headers: [...headers, ["Content-Type", type]], body }, 0.1);
  }
  const sent = draw.chance(0.9)
    ? [input, draw.chance(0.9) ? fixtures.changerId : hostileValue(draw)]
    : draw.pick([[input], [undefined, input], hostileValue(draw), ["$K1"], ["$F1"], ["$undefined"]]);
  const text = (JSON.stringify(sent) as string | undefined) ?? "";
  const call: Pairs = [
    ["Next-Action", id],
    ["Accept", "text/x-component"],
    ["Content-Type", "text/plain;charset=UTF-8"],
  ];
  return finish(draw, { ...common, headers: [...headers, ...call], body: Buffer.from(text) }, 0.1);
}

const AUTH_PATHS = [
  "signin",
  "signin/email",
  "callback/email",
  "callback/oidc",
  "signout",
  "session",
  "error",
  "verify-request",
  "csrf",
  "providers",
];

/** Builds a request to the sign-in and sign-out endpoints. */
export function buildAuthRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const name = draw.pick(AUTH_PATHS);
  const isPost = draw.chance(name.startsWith("sign") || name.startsWith("callback") ? 0.7 : 0.2);
  const value = () => (draw.chance(0.7) ? hostileText(draw) : draw.pick(["/w/x", "ada@example.com", "x"]));
  const names = ["callbackUrl", "email", "error", "token", "json", "redirectTo"];
  const fields: Pairs = Array.from({ length: draw.below(3) }, () => [draw.pick(names), value()]);
  const form = new URLSearchParams([["csrfToken", fixtures.csrf.token], ...fields]).toString();
  const cookie = draw.chance(0.8)
    ? fixtures.csrf.cookie
    : `authjs.csrf-token=${encode(draw, hostileText(draw))}; authjs.callback-url=${encode(draw, value())}`;
  const request: FuzzRequest = {
    operation: `sign-in, ${name}`,
    kind: "auth",
    method: isPost ? "POST" : "GET",
    path: `/api/auth/${name}${isPost ? "" : queryText(draw, fields)}`,
    headers: [
      ["Cookie", cookie],
      ...(isPost ? ([["Content-Type", "application/x-www-form-urlencoded"]] as Pairs) : []),
      ...(draw.chance(0.3) ? ([["X-Auth-Return-Redirect", "1"]] as Pairs) : []),
    ],
    ...(isPost && { body: Buffer.from(form) }),
  };
  return finish(draw, request, 0.2);
}
