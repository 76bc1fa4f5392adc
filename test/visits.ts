import { API_TABLE } from "@/app/api/table";
import type { Database } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { composeExactly } from "@/lib/contract/challenge-proof";
import type { Signals, Timings } from "@/lib/contract/signals";
import { handleApiRequest } from "@/lib/interfaces/http/api-table";
import { newId } from "@/lib/contract/ids";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { createWorkspace, type Plan } from "@/lib/tenancy/workspaces";
import { TEST_SECRETS } from "./secrets";
import { timingsFor } from "./timings";
import { operatorContext } from "./workspaces";

const BASE = "http://localhost:3000";

export type Site = {
  workspaceId: string;
  webAppId: string;
  environmentId: string;
  apiKey: string;
  keyId: string;
  origin: string;
};

/** Creates a workspace with one Web App, one origin and one key. */
export async function createSite(db: Database, options: { plan?: Plan; origins?: string[] } = {}): Promise<Site> {
  publishSecrets(TEST_SECRETS); // scripts have no begin-file.ts
  await ensurePartitions(db, new Date(), new Date());
  const origin = "https://shop.example";
  const { workspaceId } = await createWorkspace(operatorContext(db), {
    name: "Acme",
    plan: options.plan ?? "enterprise",
  });
  const app = await createWebApp(operatorContext(db), {
    workspaceId,
    name: "Shop",
    origins: options.origins ?? [origin],
  });
  return {
    workspaceId,
    origin,
    webAppId: app.webAppId,
    environmentId: app.environmentId,
    apiKey: app.apiKey,
    keyId: app.keyId,
  };
}

type Call = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  address?: string | undefined;
};

/** Sends one request through the server's API table, without a socket. */
export function call(path: string, { method = "GET", headers = {}, body, address }: Call = {}): Promise<Response> {
  const request = new Request(`${BASE}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return handleApiRequest(API_TABLE, request, {
    requestId: newId("request"),
    ...(address === undefined ? {} : { address }),
  });
}

export const CHROME_USER_AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const REALM = {
  userAgent: CHROME_USER_AGENT,
  platform: "Win32",
  languages: ["en-US", "en"],
  hardwareConcurrency: 8,
  webdriver: false,
};
const BRANDS = [
  { brand: "Chromium", version: "142" },
  { brand: "Google Chrome", version: "142" },
  // This version's GREASE brand.
  { brand: "Not_A Brand", version: "99" },
];

/** Headers of an ordinary desktop browser's submission from an https page. */
export const BROWSER_HEADERS = {
  "sec-ch-ua-platform": '"Windows"',
  "user-agent": CHROME_USER_AGENT,
  "sec-ch-ua": BRANDS.map(({ brand, version }) => `"${brand}";v="${version}"`).join(", "),
  "sec-ch-ua-mobile": "?0",
  accept: "*/*",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-US,en;q=0.9",
};

/** Signals of an ordinary desktop browser that reveals little about its machine: nothing here links two visits. */
export const ordinarySignals = (): Signals => ({
  navigator: {
    state: "ok",
    value: {
      ...REALM,
      language: "en-US",
      vendor: "Google Inc.",
      productSub: "20030107",
      maxTouchPoints: 0,
      cookieEnabled: true,
    },
  },
  uaData: {
    state: "ok",
    value: {
      brands: BRANDS,
      fullVersionList: [{ brand: "Google Chrome", version: "142.0.7444.60" }],
      mobile: false,
      platform: "Windows",
      platformVersion: "15.0.0",
    },
  },
  page: { state: "ok", value: { isSecureContext: true, isFramed: false, hidden: false } },
  engine: {
    state: "ok",
    value: {
      family: "blink",
      evalLength: 33,
      errorText: "Cannot read properties of null (reading '0')",
      hasChromeObject: true,
    },
  },
  features: { state: "ok", value: "1011111111100011111111111111101110" },
  screen: { state: "ok", value: { media: "0000101011" } },
  timezone: { state: "ok", value: {} },
  locale: { state: "ok", value: { locale: "en-US" } },
  math: { state: "ok", value: [1.4474840516030247, 0.881373587019543] },
  storage: { state: "ok", value: { localStorage: true, sessionStorage: true, indexedDb: true } },
  automation: {
    state: "ok",
    value: {
      globals: [],
      attributes: [],
      hasHeadlessToken: false,
      isConsoleWatched: false,
      tampered: [],
      navigatorProperties: [],
    },
  },
  worker: { state: "blocked" },
  iframe: { state: "blocked" },
  webgl: { state: "absent" },
  canvas: { state: "absent" },
  fonts: { state: "absent" },
});

type Challenge = { challenge: string; expires_at: string; token?: string };

export async function requestChallenge(
  site: Site,
  options: { token?: string | undefined; address?: string } = {},
): Promise<Challenge> {
  const response = await call("/api/v1/imprints/challenge", {
    method: "POST",
    headers: { origin: site.origin },
    body: JSON.stringify({
      environment_id: site.environmentId,
      ...(options.token === undefined ? {} : { token: options.token }),
    }),
    address: options.address,
  });
  return (await response.json()) as Challenge;
}

type Shown = { signals?: Signals; timings?: Timings };
type Submission = Shown & { challenge: string; token?: string | undefined; surface?: string | undefined };

export const submissionBody = (
  site: Site,
  { challenge, token, surface, signals = ordinarySignals(), timings }: Submission,
): string =>
  composeExactly({
    v: 1,
    environment_id: site.environmentId,
    challenge,
    ...(token === undefined ? {} : { token }),
    ...(surface === undefined ? {} : { surface }),
    signals,
    timings: timingsFor(signals, timings),
  });

/**
 * Headers that a browser with these signals would send: Chrome's with client hints if it is a Chrome, otherwise
 * without.
 */
function headersOf({ navigator, uaData }: Signals): Record<string, string> {
  const plain = Object.fromEntries(Object.entries(BROWSER_HEADERS).filter(([name]) => !name.startsWith("sec-ch-ua")));
  const userAgent = navigator?.state === "ok" ? navigator.value.userAgent : undefined;
  const named = { ...plain, ...(userAgent !== undefined && { "user-agent": userAgent }) };
  if (uaData?.state !== "ok") return uaData?.state === "absent" ? named : BROWSER_HEADERS;
  const { brands = [], platform = "", mobile = false } = uaData.value;
  return {
    ...named,
    "sec-ch-ua": brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(", "),
    "sec-ch-ua-mobile": mobile ? "?1" : "?0",
    "sec-ch-ua-platform": `"${platform}"`,
  };
}

const signalsOfBody = (body: string): Signals => {
  try {
    return (JSON.parse(body) as { signals?: Signals }).signals ?? {}; // a test's own body
  } catch {
    return {};
  }
};

export const submit = (
  site: Site,
  body: string,
  options: { address?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Response> =>
  call("/api/v1/imprints", {
    method: "POST",
    headers: { ...headersOf(signalsOfBody(body)), origin: site.origin, ...options.headers },
    body,
    address: options.address,
  });

/** Makes a complete visit of a browser that has `token`, or gets one. */
export async function visit(
  site: Site,
  options: Shown & { token?: string | undefined; surface?: string; address?: string } = {},
) {
  const issued = await requestChallenge(site, options);
  const token = options.token ?? issued.token;
  const response = await submit(
    site,
    submissionBody(site, { ...options, challenge: issued.challenge, token }),
    options,
  );
  const { imprint, token: kept } = (await response.json()) as { imprint: string; token?: string };
  return { imprint, token: kept ?? token ?? "" };
}

export const readReport = (apiKey: string, imprint: string, headers: Record<string, string> = {}): Promise<Response> =>
  call(`/api/v1/fingerprint/report/${imprint}`, { headers: { "x-api-key": apiKey, ...headers } });
