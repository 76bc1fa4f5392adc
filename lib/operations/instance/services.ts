import { env } from "@/lib/platform/env";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { reachRedis } from "@/lib/platform/limits";
import { reachMailServer } from "@/lib/platform/mail";
import { examineProviders } from "@/lib/tenancy/sign-in";
import type { Fact } from "./domain/fact";

const TIMEOUT_MS = 3_000;
/** Beyond this, tokens of an identity provider are refused as expired or not yet valid. */
const PROVIDER_SKEW_SECONDS = 30;

/** Whether the rate-limit store answers. */
export async function checkLimits(redisUrl = env.REDIS_URL): Promise<Fact> {
  const name = "limits";
  if (redisUrl === undefined) return { name, status: "ok", text: "Rate limits are kept in the database." };
  const problem = await reachRedis(redisUrl, TIMEOUT_MS);
  if (problem === undefined) return { name, status: "ok", text: "Rate limits are kept in Redis, which answers." };
  return {
    name,
    status: "fail",
    text: `Redis does not answer (${problem}): each process limits by itself, and purchases are refused.`,
    fix: "Start it, or check REDIS_URL. The service reconnects by itself.",
  };
}

/** Whether the mail server answers and accepts our login; nothing is sent. */
export async function checkMail(smtpUrl = env.SMTP_URL, timeoutMs?: number): Promise<Fact> {
  const name = "mail";
  if (smtpUrl === undefined) return { name, status: "ok", text: "No mail server: sign-in links are printed." };
  const problem = await reachMailServer(smtpUrl, timeoutMs);
  if (problem === undefined) return { name, status: "ok", text: "The mail server answers and accepts our login." };
  return {
    name,
    status: "fail",
    text: `The mail server cannot be used (${problem}): nobody gets a sign-in link.`,
    fix: `See SMTP_URL. Until then: ${ADMIN_COMMAND} login-link --email ADDRESS`,
  };
}

/** Whether people can sign in with the configured identity providers. */
export async function checkProviders(providers = examineProviders()): Promise<Fact[]> {
  return (await providers).map(({ name: provider, problem, skewSeconds }): Fact => {
    const name = "identity-provider";
    if (problem !== undefined)
      return {
        name,
        status: "fail",
        text: `Nobody can sign in with ${provider}: ${problem}.`,
        fix: "Set the issuer exactly as the provider states it, and make sure that this machine can reach it.",
      };
    if (Math.abs(skewSeconds) > PROVIDER_SKEW_SECONDS)
      return {
        name,
        status: "warn",
        text: `The clocks of ${provider} and this machine differ by ${Math.abs(skewSeconds)} s, so its tokens may be refused.`,
        fix: "Synchronise this machine's clock by NTP.",
      };
    return { name, status: "ok", text: `People can sign in with ${provider}.` };
  });
}
