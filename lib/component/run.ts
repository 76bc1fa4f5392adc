import { composeBody, stringify } from "@/lib/contract/challenge-proof";
import type { SIGNALS_VERSION } from "@/lib/contract/signals";

import type { ImprintResult } from "./api";
import { collectSignals, elapsed } from "./collect";
import type { Config } from "./config";
import { draw } from "./draw";
import { createError, isImprintError } from "./error";
import type * as Probe from "./probe";
import { within, yieldTask } from "./read";
import { openTokenStore } from "./token-store";
import { post } from "./transport";

const VERSION: typeof SIGNALS_VERSION = 1;

/** Loads the address probe, a file of its own for the few services that have one; all of it takes a second at most. */
const send = (url: string, server: RTCIceServer) =>
  within(async () => ((await import(url)) as typeof Probe).send(server), 1000).catch(Boolean);

const incomplete = () => createError("bad_response", "Not an answer of Imprint: check endpoint.");

/**
 * One whole run: asks for a challenge while the signals are read, then submits them.
 *
 * @param signal ends requests and waits
 * @throws ImprintError
 */
export const performRun = async (
  { environmentId, urls, isProxied, storage }: Config,
  surface: string,
  signal: AbortSignal,
): Promise<ImprintResult> => {
  const startedMs = performance.now();
  const collecting = collectSignals();
  // What the browser keeps is read, and asked with, in a task of its own.
  await yieldTask();
  const store = storage === "all" ? openTokenStore(environmentId) : undefined;
  const [challengeUrl, submissionUrl, probeUrl] = urls as [string, string, string];
  const credentials = isProxied && store ? "same-origin" : "omit";
  let token = store?.read();
  let challenge = "";
  let challengeMs = 0;
  let probing: unknown;

  /** Asks for a challenge; resolves to true when the service issued a token in place of the one sent. */
  const ask = async () => {
    const text = stringify({ environment_id: environmentId, token });
    const given = await post(challengeUrl, text, signal, credentials);
    const { challenge: asked, probe, token: issued } = given;
    if (typeof asked !== "string") throw incomplete();
    challenge = asked;
    if (probe) probing = send(probeUrl, probe as RTCIceServer);
    if (typeof issued !== "string") return false;
    token = issued;
    return true;
  };

  const prepare = async () => {
    const sent = token;
    // Where a proxy keeps the token, tabs that start together ask one after the other: the second has its cookie then.
    if ((await (isProxied && store ? store.lock(ask) : ask())) && token) {
      const shared = await store?.share(token, sent);
      if (shared && shared !== token) {
        // The service has not seen this token in this run: it decides whether it is usable.
        token = shared;
        await ask();
      }
    }
    challengeMs = elapsed(startedMs);
    await probing;
  };

  const submit = async () => {
    const [{ signals, timings }] = await Promise.all([collecting, prepare()]);
    await yieldTask();
    const body = {
      v: VERSION,
      environment_id: environmentId,
      challenge,
      token,
      surface,
      signals,
      timings: { total: elapsed(startedMs), challenge: challengeMs, signals: timings },
    };
    return post(submissionUrl, composeBody(body, draw), signal, credentials);
  };

  const { imprint, token: kept = token } = await submit().catch((error: unknown) => {
    // A page that slept between the two requests: one new challenge, no more.
    if (isImprintError(error) && error.code === "challenge_expired") return submit();
    throw error;
  });
  if (typeof imprint !== "string" || !/^imp_[0-9a-f]{32}$/.test(imprint)) throw incomplete();
  // The service gives another token in place of one that it refused as copied; a proxy that keeps it, an empty one.
  if (typeof kept === "string") store?.write(kept);
  return { imprint };
};
