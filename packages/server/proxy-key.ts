import { isImprintServerError } from "./error";
import { ProxyFailure } from "./proxy-failure";
import type { ProxySettings } from "./proxy-options";
import type { SigningKey } from "./proxy-signature";
import { readText } from "./read-text";
import { within } from "./within";

const PROXY_KEY_PATH = "/api/v1/imprints/proxy-key";
/** The service sees by it that the key is in use, and a secret that is about to end is replaced long before. */
const REFRESHED_AFTER_MS = 3_600_000;
/** A key that the service refuses is asked with again after this: a visitor must not make this server ask each time. */
const REFUSED_FOR_MS = 30_000;
/** A signature that is refused may be of an old secret, or of a visitor's making: it replaces only a secret of this age. */
const REPLACED_AFTER_MS = 60_000;

type Held = SigningKey & { gotAt: number; expiresAt: number };

export type KeyHolder = {
  /** @throws ProxyFailure while there is none */
  get: () => Promise<SigningKey>;
  /** Whether a refused signature is worth another secret; then the next `get` asks for one. */
  replace: (refused: SigningKey) => boolean;
};

function parseKey(text: string, gotAt: number): Held {
  const {
    key_id: keyId,
    secret,
    issued_at: issuedAt,
    expires_at: expiresAt,
  } = JSON.parse(text) as Record<string, unknown>;
  const [issued, expires] = [Date.parse(String(issuedAt)), Date.parse(String(expiresAt))];
  if (typeof keyId !== "string" || typeof secret !== "string" || !(expires > issued))
    throw new TypeError("not a signing secret");
  const clockOffsetMs = issued - gotAt;
  return { keyId, secret, clockOffsetMs, gotAt, expiresAt: expires - clockOffsetMs };
}

const CAUSES: Readonly<Record<number, string>> = {
  401: "the service refused apiKey: it is wrong, revoked or expired. Give the proxy a key of the workspace that has the Web App",
  404: "the service has no signing secrets: it is older than this package, or `endpoint` leads elsewhere",
  429: "the service refused to hand out another signing secret so soon",
};

/** @throws ProxyFailure */
async function askForKey({ endpoint, apiKey, timeoutMs, fetch }: ProxySettings): Promise<Held> {
  try {
    return await within(timeoutMs, undefined, async (signal) => {
      const response = await fetch(`${endpoint}${PROXY_KEY_PATH}`, {
        method: "POST",
        headers: { "X-API-Key": apiKey, Accept: "application/json" },
        redirect: "manual",
        signal,
      });
      const text = await readText(response);
      if (response.status === 200) return parseKey(text, Date.now());
      const isRefused = response.status < 500 && response.status !== 429;
      throw new ProxyFailure(
        CAUSES[response.status] ??
          `the service answered with status ${response.status} to a request for a signing secret`,
        isRefused ? REFUSED_FOR_MS / 1000 : 1,
      );
    });
  } catch (error) {
    if (error instanceof ProxyFailure) throw error;
    const what = isImprintServerError(error) ? error.message : "the service at `endpoint` cannot be reached";
    throw new ProxyFailure(what, 1, error);
  }
}

/** Cloudflare ends what one request has begun with that request: another one must not wait for it. */
const isShareable = () =>
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== "Cloudflare-Workers";

/** Keeps the secret with which this server signs: asked for when it is needed first, and anew each hour. */
export function createKeyHolder(settings: ProxySettings, report: (error: Error) => void): KeyHolder {
  let held: Held | undefined;
  let asking: Promise<Held> | undefined;
  let failed: { failure: Error; until: number } | undefined;

  const ask = async () => {
    try {
      held = await askForKey(settings);
      failed = undefined;
      return held;
    } catch (error) {
      const failure = error as ProxyFailure; // askForKey throws nothing else
      failed = { failure, until: Date.now() + failure.retryAfterSeconds * 1000 };
      throw failure;
    }
  };

  const askOnce = () => {
    if (!isShareable()) return ask();
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    async get() {
      const now = Date.now();
      const isUsable = held !== undefined && now < held.expiresAt;
      if (held !== undefined && isUsable && now - held.gotAt < REFRESHED_AFTER_MS) return held;
      if (failed && now < failed.until) {
        if (held !== undefined && isUsable) return held;
        throw failed.failure;
      }
      if (held === undefined || !isUsable || !isShareable()) return askOnce();
      askOnce().catch(report);
      return held;
    },
    replace(refused) {
      if (held !== refused) return true;
      if (Date.now() - held.gotAt < REPLACED_AFTER_MS) return false;
      held = undefined;
      return true;
    },
  };
}
