import { createHash } from "node:crypto";

import { type Draw, hostileText, hostileValue, isWellFormed, misspell, mutate } from "./draw";
import { finish, type FuzzRequest, queryText } from "./request";
import type { Pairs } from "./wire";
import { UNPROVEN_REDIRECT_URI, type Fixtures } from "./fixtures";

const SCOPE = "svc.report.lite svc.history.read";
const VERIFIER = "v".repeat(43);
const CODE_CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const FORM: [string, string] = ["Content-Type", "application/x-www-form-urlencoded"];
const OTHER_PARAMETERS = [
  "ui_locales",
  "claims",
  "id_token_hint",
  "login_hint",
  "request",
  "request_uri",
  "display",
  "acr_values",
];
const PROMPTS = ["none", "login", "consent", "select_account", "create", "none login"];

const formText = (pairs: Pairs): Buffer =>
  Buffer.from(
    pairs.map((pair) => pair.map((text) => (isWellFormed(text) ? encodeURIComponent(text) : text)).join("=")).join("&"),
  );

/** Omits a field, duplicates it, or gives it an unexpected value. */
function disturb(draw: Draw, pairs: Pairs): Pairs {
  const at = draw.below(pairs.length);
  const [name] = pairs[at] ?? ["a"];
  const kind = draw.below(6);
  if (kind === 0) return pairs.toSpliced(at, 1);
  if (kind === 1) return [...pairs, [name, hostileText(draw)]];
  if (kind === 2) return [...pairs, [draw.pick([...OTHER_PARAMETERS, "__proto__"]), hostileText(draw)]];
  return pairs.toSpliced(at, 1, [name, hostileText(draw)]);
}

const disturbed = (draw: Draw, pairs: Pairs, probability: number): Pairs =>
  draw.chance(probability) ? disturb(draw, draw.chance(0.3) ? disturb(draw, pairs) : pairs) : pairs;

function authorize(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const { approved, unproven, redirectUri } = fixtures.oauth;
  const isApproved = draw.chance(0.5);
  const pairs: Pairs = [
    ["response_type", draw.pick(["code", "code", "code", "token", "none", "code id_token"])],
    ["client_id", isApproved ? approved : unproven],
    ["redirect_uri", isApproved ? redirectUri : UNPROVEN_REDIRECT_URI],
    ["code_challenge", CODE_CHALLENGE],
    ["code_challenge_method", draw.pick(["S256", "S256", "plain"])],
    ["resource", `${fixtures.base}/mcp`],
    ["scope", SCOPE],
    ["state", "s"],
    ...(draw.chance(0.3) ? ([["prompt", draw.pick(PROMPTS)]] as Pairs) : []),
    ...(draw.chance(0.2)
      ? ([["response_mode", draw.pick(["form_post", "fragment", "query", "web_message", "jwt"])]] as Pairs)
      : []),
  ];
  const sent = disturbed(draw, pairs, 0.7);
  const cookies: Pairs = draw.chance(0.6) ? [["Cookie", fixtures.sessions.owner]] : [];
  const isPost = draw.chance(0.2);
  return {
    operation: "oauth, authorize",
    kind: "oauth",
    method: isPost ? "POST" : "GET",
    path: `/oauth/authorize${isPost ? "" : queryText(draw, sent)}`,
    headers: isPost ? [...cookies, FORM] : cookies,
    ...(isPost && { body: formText(sent) }),
  };
}

function token(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const code: Pairs = [
    ["grant_type", "authorization_code"],
    ["client_id", fixtures.oauth.approved],
    ["code", "x".repeat(43)],
    ["code_verifier", VERIFIER],
    ["redirect_uri", fixtures.oauth.redirectUri],
  ];
  const refresh: Pairs = [
    ["grant_type", draw.pick(["refresh_token", "client_credentials", "password", "__proto__"])],
    ["client_id", fixtures.oauth.approved],
    ["refresh_token", "x".repeat(43)],
  ];
  const body = formText(disturbed(draw, draw.chance(0.5) ? code : refresh, 0.8));
  return { operation: "oauth, token", kind: "oauth", method: "POST", path: "/oauth/token", headers: [FORM], body };
}

function registration(draw: Draw): FuzzRequest {
  const uris = [
    "https://app.example/cb",
    "http://127.0.0.1:1/cb",
    "myapp://cb",
    "search-ms:query",
    "shell:x",
    "https://a\0b",
  ];
  const valid = { client_name: "Agent", redirect_uris: [draw.pick(uris)], token_endpoint_auth_method: "none" };
  const more = [
    "logo_uri",
    "jwks",
    "jwks_uri",
    "grant_types",
    "scope",
    "client_uri",
    "contacts",
    "software_id",
    "client_id",
  ];
  const extended = draw.chance(0.4) ? { ...valid, [draw.pick(more)]: hostileValue(draw) } : valid;
  const sent = draw.chance(0.6) ? mutate(draw, extended) : extended;
  const text = (JSON.stringify(sent) as string | undefined) ?? "";
  const body = draw.chance(0.1) ? misspell(draw, text) : Buffer.from(text);
  const headers: Pairs = [["Content-Type", "application/json"]];
  return { operation: "oauth, register", kind: "oauth", method: "POST", path: "/oauth/register", headers, body };
}

function revocation(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const pairs: Pairs = [
    ["client_id", fixtures.oauth.approved],
    ["token", "x".repeat(43)],
    ["token_type_hint", draw.pick(["access_token", "refresh_token", "x"])],
  ];
  const body = formText(disturbed(draw, pairs, 0.8));
  return { operation: "oauth, revoke", kind: "oauth", method: "POST", path: "/oauth/revoke", headers: [FORM], body };
}

function consent(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const uid = draw.pick(["x".repeat(43), "x", hostileText(draw)]);
  const isDecision = draw.chance(0.6);
  const pairs: Pairs = [
    ["scope", "svc.report.lite"],
    ["workspace", fixtures.site.workspaceId],
    ["decision", draw.pick(["allow", "deny", "x"])],
  ];
  const session = draw.pick([
    fixtures.sessions.owner,
    "authjs.session-token=%00",
    "authjs.session-token=x",
    "_interaction=x",
  ]);
  const place = draw.pick([`/oauth/consent/${encodeUid(uid)}`, `/oauth/authorize/${encodeUid(uid)}`]);
  return {
    operation: "oauth, consent",
    kind: "oauth",
    method: isDecision ? "POST" : "GET",
    path: isDecision ? `/oauth/consent/${encodeUid(uid)}/decide` : place,
    headers: [
      ["Cookie", session],
      ...(isDecision
        ? ([FORM, ["Origin", draw.pick([fixtures.base, fixtures.base, "null", "https://evil.example"])]] as Pairs)
        : []),
    ],
    ...(isDecision && { body: formText(disturbed(draw, pairs, 0.5)) }),
  };
}

const encodeUid = (uid: string): string => (isWellFormed(uid) ? encodeURIComponent(uid) : "x");

/** Builds a request to the authorization server or its pages. */
export function buildOauthRequest(draw: Draw, fixtures: Fixtures): FuzzRequest {
  const kind = draw.below(10);
  const make = [
    authorize,
    authorize,
    authorize,
    authorize,
    token,
    token,
    registration,
    registration,
    revocation,
    consent,
  ][kind];
  return finish(draw, (make ?? authorize)(draw, fixtures), 0.12);
}
