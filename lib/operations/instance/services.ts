import { env } from "@/lib/platform/env";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { reachRedis } from "@/lib/platform/limits";
import { reachMailServer } from "@/lib/platform/mail";
import type { Fact } from "./domain/fact";

const TIMEOUT_MS = 3_000;

/** Whether the store of the rate limits answers. */
export async function checkLimits(redisUrl = env.REDIS_URL): Promise<Fact> {
  const name = "limits";
  if (redisUrl === undefined) return { name, status: "ok", text: "The database keeps the rate limits." };
  const problem = await reachRedis(redisUrl, TIMEOUT_MS);
  if (problem === undefined) return { name, status: "ok", text: "Redis keeps the rate limits, and answers." };
  return {
    name,
    status: "fail",
    text: `Redis does not answer (${problem}): each process limits by itself, and purchases are refused.`,
    fix: "Start it, or see REDIS_URL. The service finds it by itself.",
  };
}

/** Whether the mail server answers and lets us in; nothing is sent. */
export async function checkMail(smtpUrl = env.SMTP_URL): Promise<Fact> {
  const name = "mail";
  if (smtpUrl === undefined) return { name, status: "ok", text: "No mail server: sign-in links are printed." };
  const problem = await reachMailServer(smtpUrl, TIMEOUT_MS);
  if (problem === undefined) return { name, status: "ok", text: "The mail server answers and lets us in." };
  return {
    name,
    status: "fail",
    text: `The mail server cannot be used (${problem}): nobody gets a sign-in link.`,
    fix: `See SMTP_URL. Until then: ${ADMIN_COMMAND} login-link --email ADDRESS`,
  };
}
