import { z } from "zod";

import { failureText } from "@/lib/platform/failure-text";
import { askProvider, openIdSettings } from "./identity-providers";

const SECOND_MS = 1000;
const Discovery = z.object({ issuer: z.string() });

export type ProviderState = {
  name: string;
  /** Why nobody can sign in with it; undefined if people can. */
  problem: string | undefined;
  /** Difference between this machine's clock and the provider's; 0 if it sends no `Date`. */
  skewSeconds: number;
};

/** A cached copy keeps the `Date` of the original. Source: RFC 9111, section 5.1. */
function skewOf(headers: Headers): number {
  const sentMs = Date.parse(headers.get("date") ?? "");
  const ageSeconds = Number(headers.get("age") ?? 0);
  return Number.isNaN(sentMs) ? 0 : Math.round((Date.now() - sentMs) / SECOND_MS - ageSeconds);
}

/** Source: OpenID Connect Discovery 1.0, sections 4.1 and 4.3. */
async function examine({ name, issuer }: { name: string; issuer: string }): Promise<ProviderState> {
  const state = { name, problem: undefined, skewSeconds: 0 };
  try {
    const address = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
    const answer = await askProvider(address, { headers: { Accept: "application/json" }, redirect: "manual" });
    if (answer.status !== 200) return { ...state, problem: `${address} answers ${answer.status}` };
    const discovery = Discovery.safeParse(await answer.json().catch(() => undefined));
    if (!discovery.success) return { ...state, problem: `${address} is not OpenID provider metadata` };
    const isOther =
      !URL.canParse(discovery.data.issuer) || new URL(discovery.data.issuer).href !== new URL(issuer).href;
    if (isOther) return { ...state, problem: `its issuer is ${discovery.data.issuer.slice(0, 200)}` };
    return { ...state, skewSeconds: skewOf(answer.headers) };
  } catch (error) {
    return { ...state, problem: failureText(error) ?? "no answer" };
  }
}

/** Asks each configured OpenID Connect provider for its metadata; nobody is signed in. */
export const examineProviders = (
  providers: readonly { name: string; issuer: string }[] = openIdSettings(),
): Promise<ProviderState[]> => Promise.all(providers.map(examine));
