import { PAGE_IDS, pageOf } from "@/components/shell/pages";
import type { PageAction } from "@/scripts/fuzz/build-manifest";
import { callAction, type OpenSession, readActions } from "./actions";
import { READING, WRITING } from "./role-matrix";

/** Query values that no page expects: JavaScript's own names, invalid dates, numbers out of range. */
const HOSTILE_VALUES = [
  "__proto__",
  "constructor",
  "toString",
  "0000-01-01",
  "9999-12-31",
  "+010000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "2026-02-30",
  "9999-99-99T99:99:99+00~00000000-0000-0000-0000-000000000000",
  "2026-02-30T00:00:00+00~dev_00000000000000000000000000000000",
  "99999999999999999999",
  "4294967296",
  "9999999999",
  "-1",
  "1e400",
  "NaN",
  "\\x",
  "//evil.example",
  "/.//evil.example",
  "%",
  "%00",
  "\u{1f4a9}",
  "\u202e",
  "x".repeat(5_000),
  "'; drop table users; --",
];

/** Invalid encodings at the end of a URL: each path gets one, and any six consecutive paths get all. */
const RAW_TAILS = ["?x=%00", "/%00", "?next=%00", "?x=%ED%A0%80", "?%", "?__proto__=1"];

/** Parameters of all pages, sent together. */
const PARAMETERS = [
  ...["action", "account", "actor", "address", "after", "app", "asn", "before", "browser", "client", "connection"],
  ...["country", "cursor", "device", "error", "format", "from", "imprint", "key", "month", "next", "of", "outcome"],
  ...["find", "invited"],
  ...["person", "q", "reason", "risk", "search", "since", "span", "system", "target", "to", "token", "tool", "view"],
  ...["web_app", "why", "workspace", "zone", "callbackUrl", "email", "empty", "days"],
];

/** Values that cannot be stored, for any action. */
const UNSTORABLE = ["a\u0000b", "\ud800", "\udc00x"];

type Target = OpenSession & { url: string; workspaceId: string };

const cookieOf = ({ sessionToken }: Target) => `authjs.session-token=${sessionToken}`;

/** Why a response is not one of ours; undefined if it is. */
async function faultOf(answer: Response, { url }: Target): Promise<string | undefined> {
  const text = await answer.text();
  if (answer.status >= 500) return `status ${answer.status}`;
  if (/digest[\\":]+\d/.test(text)) return "the error page";
  const location = answer.headers.get("location");
  return location !== null && new URL(location, url).origin !== url ? `redirected to ${location}` : undefined;
}

function pathsOf(workspaceId: string): string[] {
  const open = [
    "/",
    "/sign-in",
    "/sign-in/check",
    "/sign-in/confirm",
    "/join",
    "/download",
    "/setup",
    "/docs/search",
    "/docs/errors/x",
  ];
  const auth = [
    "signin",
    "signin/oidc",
    "signout",
    "error",
    "verify-request",
    "session",
    "csrf",
    "callback/oidc",
    "callback/email",
  ];
  const inWorkspace = [
    ...READING.map(([path]) => path.split("?")[0] ?? ""),
    ...PAGE_IDS.map((id) => `/${pageOf(id).path}`)
      .filter((path) => path.includes("["))
      .map((path) => path.replaceAll(/\[\w+\]/g, "x")),
    ...["/first-visit", "/privacy/export", "/trials/totals", "/trials/queue", "/keys/x/uses"],
  ];
  return [
    ...open,
    "/oauth/consent/x",
    ...auth.map((name) => `/api/auth/${name}`),
    ...inWorkspace.map((path) => `/w/${workspaceId}${path}`),
  ];
}

/** Faults in the responses of all pages to all hostile values. */
export async function addressFaults(target: Target): Promise<string[]> {
  const faults: string[] = [];
  const ask = async (path: string, cookie: string) => {
    const answer = await fetch(target.url + path, { redirect: "manual", headers: { Cookie: cookie } });
    const fault = await faultOf(answer, target);
    if (fault !== undefined) faults.push(`${path.slice(0, 200)}: ${fault}`);
  };
  const valueAt = (place: number) => HOSTILE_VALUES[place % HOSTILE_VALUES.length] ?? "";
  // Each page gets different values for its parameters; over all pages, each parameter gets each value.
  for (const [at, path] of pathsOf(target.workspaceId).entries()) {
    const query = new URLSearchParams(PARAMETERS.map((name, place) => [name, valueAt(at + place)]));
    if (path.endsWith("/export")) query.set("format", "csv");
    const returned = encodeURIComponent(valueAt(at)).slice(0, 500);
    await ask(
      `${path}?${query.toString()}`,
      `${cookieOf(target)}; authjs.callback-url=${returned}; imprint-zone=%E0%A4%A`,
    );
    await ask(path + (RAW_TAILS[at % RAW_TAILS.length] ?? ""), cookieOf(target));
  }
  return faults;
}

/** Statuses of an action posted directly. */
async function post(
  action: PageAction,
  target: Target,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  const answer = await fetch(`${target.url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { "Next-Action": action.id, Cookie: cookieOf(target), ...headers },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Fields of actions for which the role matrix has no input. */
const OTHER_FIELDS = { grantId: "", userId: "", sessionId: "", provider: "", intentId: "", buyer: "" };

async function faultsOf(action: PageAction, target: Target): Promise<string[]> {
  const faults: string[] = [];
  const known = WRITING.find(([name]) => name === action.name)?.[2];
  for (const [at, name] of ["workspaceId", ...Object.keys(known ?? OTHER_FIELDS)].entries()) {
    const value = UNSTORABLE[at % UNSTORABLE.length];
    const outcome = await callAction(action, { workspaceId: target.workspaceId, ...known, [name]: value }, target);
    if (/internal_error|status 5/.test(outcome)) faults.push(`${action.name} ${name}: ${outcome}`);
  }
  // From another site. Actions that need a session are covered by `console-people.spec.ts`.
  for (const origin of known ? ["null", ""] : ["https://evil.example", "null", ""]) {
    const status = await post(action, target, { Origin: origin }, "[]");
    if (status !== 403) faults.push(`${action.name} from ${origin}: ${status}`);
  }
  const own = { Origin: target.url };
  for (const [headers, body] of [
    [own, '{"__proto__":1}'],
    [{ ...own, "Content-Type": "multipart/form-data" }, "x"],
  ] as const) {
    const status = await post(action, target, headers, body);
    if (status >= 500) faults.push(`${action.name} with the body ${body}: ${status}`);
  }
  return faults;
}

/** Faults in the responses of all actions to unstorable fields, malformed forms and foreign pages. */
export async function actionFaults(target: Target): Promise<string[]> {
  const faults: string[] = [];
  for (const action of readActions()) faults.push(...(await faultsOf(action, target)));
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    const headers = { Origin: target.url, Cookie: cookieOf(target), "Content-Type": type };
    const search = `${target.url}/w/${target.workspaceId}/search/go`;
    const { status } = await fetch(search, { method: "POST", redirect: "manual", headers, body: "search=%00" });
    if (status >= 500) faults.push(`the search with ${type}: ${status}`);
  }
  return faults;
}
