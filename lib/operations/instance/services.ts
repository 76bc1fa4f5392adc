import { env } from "@/lib/platform/env";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { reachRedis } from "@/lib/platform/limits";
import { reachMailServer } from "@/lib/platform/mail";
import { examineProviders } from "@/lib/tenancy/sign-in";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";

const TIMEOUT_MS = 3_000;
/** Beyond this, tokens of an identity provider are refused as expired or not yet valid. */
const PROVIDER_SKEW_SECONDS = 30;

/** Whether the rate-limit store answers. */
export async function checkLimits(redisUrl = env.REDIS_URL): Promise<CheckResult> {
  const name = "limits";
  if (redisUrl === undefined) return ok(name, "Rate limits are kept in the database.");
  const problem = await reachRedis(redisUrl, TIMEOUT_MS);
  if (problem === undefined) return ok(name, "Rate limits are kept in Redis, which answers.");
  return fail(
    name,
    `Redis does not answer (${problem}): each process limits by itself, and purchases are refused.`,
    "Start it, or check REDIS_URL. The service reconnects by itself.",
  );
}

/** Whether the mail server answers and accepts our login; nothing is sent. */
export async function checkMail(smtpUrl = env.SMTP_URL, timeoutMs?: number): Promise<CheckResult> {
  const name = "mail";
  if (smtpUrl === undefined) return ok(name, "No mail server: sign-in links are printed.");
  const problem = await reachMailServer(smtpUrl, timeoutMs);
  if (problem === undefined) return ok(name, "The mail server answers and accepts our login.");
  return fail(
    name,
    `The mail server cannot be used (${problem}): nobody gets a sign-in link.`,
    `See SMTP_URL. Until then: ${ADMIN_COMMAND} login-link --email ADDRESS`,
  );
}

/** Whether people can sign in with the configured identity providers. */
export async function checkProviders(providers = examineProviders()): Promise<CheckResult[]> {
  return (await providers).map(({ name: provider, problem, skewSeconds }): CheckResult => {
    const name = "identity-provider";
    if (problem !== undefined)
      return fail(
        name,
        `Nobody can sign in with ${provider}: ${problem}.`,
        "Set the issuer exactly as the provider states it, and make sure that this machine can reach it.",
      );
    if (Math.abs(skewSeconds) > PROVIDER_SKEW_SECONDS)
      return warn(
        name,
        `The clocks of ${provider} and this machine differ by ${Math.abs(skewSeconds)} s, so its tokens may be refused.`,
        "Synchronise this machine's clock by NTP.",
      );
    return ok(name, `People can sign in with ${provider}.`);
  });
}
