import { createPrivateKey } from "node:crypto";

/** A facilitator and its authentication. */
export type FacilitatorAccess = {
  /** The variable that configures it, for messages to operators. */
  variable: "X402_FACILITATOR_URL" | "X402_FALLBACK_FACILITATOR_URL";
  url: string;
  auth: { kind: "none" } | { kind: "bearer"; token: string } | { kind: "cdp"; keyId: string; keySecret: string };
};

export type AccessVariables = {
  X402_FACILITATOR_URL?: string | undefined;
  X402_FACILITATOR_TOKEN?: string | undefined;
  X402_FALLBACK_FACILITATOR_URL?: string | undefined;
  X402_FALLBACK_FACILITATOR_TOKEN?: string | undefined;
  CDP_API_KEY_ID?: string | undefined;
  CDP_API_KEY_SECRET?: string | undefined;
};

/** Source: Coinbase Developer Platform, "Create JWT". */
const CDP_HOST = "api.cdp.coinbase.com";
const ED25519_BYTES = 64;

/**
 * A key secret in the form that the CDP SDK expects: Ed25519 as base64, or an EC key as PKCS #8. Undefined for any other
 * text. Environment variables may contain a PEM's line breaks as `\n`.
 */
export function readCdpSecret(text: string): string | undefined {
  if (!text.includes("-----BEGIN")) {
    return Buffer.from(text, "base64").length === ED25519_BYTES ? text : undefined;
  }
  try {
    const key = createPrivateKey(text.replaceAll("\\n", "\n"));
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1"
      ? key.export({ type: "pkcs8", format: "pem" }).toString()
      : undefined;
  } catch {
    return undefined;
  }
}

const isCdp = (url: string) => new URL(url).hostname === CDP_HOST;

/**
 * The facilitators in order of preference. A bearer token is sent to its own facilitator only; CDP keys to Coinbase's, or
 * to the first one if neither is Coinbase's.
 */
export function readAccess(given: AccessVariables): { facilitators: FacilitatorAccess[] } | { missing: string[] } {
  const { CDP_API_KEY_ID: keyId, CDP_API_KEY_SECRET: secret } = given;
  const missing: string[] = [];
  if ((keyId === undefined) !== (secret === undefined))
    missing.push("CDP_API_KEY_ID and CDP_API_KEY_SECRET must both be set: one of them is missing");
  const keySecret = secret === undefined ? undefined : readCdpSecret(secret);
  if (secret !== undefined && keySecret === undefined)
    missing.push("CDP_API_KEY_SECRET is neither a PEM key of P-256 nor an Ed25519 key of 64 bytes in base64");
  const named = [
    { variable: "X402_FACILITATOR_URL", url: given.X402_FACILITATOR_URL, token: given.X402_FACILITATOR_TOKEN },
    {
      variable: "X402_FALLBACK_FACILITATOR_URL",
      url: given.X402_FALLBACK_FACILITATOR_URL,
      token: given.X402_FALLBACK_FACILITATOR_TOKEN,
    },
  ] as const;
  const isAnyCdp = named.some(({ url }) => url !== undefined && isCdp(url));
  const facilitators = named.flatMap(({ variable, url, token }): FacilitatorAccess[] => {
    if (url === undefined) return [];
    if (token !== undefined) return [{ variable, url, auth: { kind: "bearer", token } }];
    const wantsKeys = isAnyCdp ? isCdp(url) : variable === "X402_FACILITATOR_URL";
    if (wantsKeys && keyId !== undefined && keySecret !== undefined)
      return [{ variable, url, auth: { kind: "cdp", keyId, keySecret } }];
    if (isCdp(url)) missing.push(`${variable} is Coinbase's: it requires CDP_API_KEY_ID and CDP_API_KEY_SECRET`);
    return [{ variable, url, auth: { kind: "none" } }];
  });
  return missing.length > 0 ? { missing } : { facilitators };
}

const ROUTES = { verify: "POST", settle: "POST", supported: "GET" } as const;
type Route = keyof typeof ROUTES;

async function authorizationFor({ url, auth }: FacilitatorAccess, route: Route): Promise<Record<string, string>> {
  if (auth.kind === "none") return {};
  if (auth.kind === "bearer") return { Authorization: `Bearer ${auth.token}` };
  // Loaded on first use: few installations need it.
  const { generateJwt } = await import("@coinbase/cdp-sdk/auth");
  const { host, pathname } = new URL(url);
  const token = await generateJwt({
    apiKeyId: auth.keyId,
    apiKeySecret: auth.keySecret,
    requestMethod: ROUTES[route],
    requestHost: host,
    requestPath: `${pathname.replace(/\/$/, "")}/${route}`,
  });
  return { Authorization: `Bearer ${token}` };
}

/** The headers for the next request to each route. A CDP token is valid for one route, and for two minutes. */
export async function authorizationHeaders(access: FacilitatorAccess): Promise<Record<Route, Record<string, string>>> {
  const [verify, settle, supported] = await Promise.all([
    authorizationFor(access, "verify"),
    authorizationFor(access, "settle"),
    authorizationFor(access, "supported"),
  ]);
  return { verify, settle, supported };
}
