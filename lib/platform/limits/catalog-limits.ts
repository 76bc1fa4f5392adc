import type { ProductLimits } from "@/lib/contract/product";
import { env } from "@/lib/platform/env";

/** The catalog's limits as this process enforces them. */
export const CATALOG_LIMITS: Readonly<ProductLimits> = {
  submit_requests: env.TRIAL_SUBMIT_REQUESTS,
  report_requests: env.TRIAL_REPORT_REQUESTS,
  requests_per_second: env.TRIAL_REQUESTS_PER_SECOND,
  intent_creates_per_ip_per_minute: env.TRIAL_INTENT_CREATES_PER_IP_PER_MINUTE,
  intent_activations_per_ip_and_intent_per_minute: env.TRIAL_INTENT_ACTIVATIONS_PER_IP_AND_INTENT_PER_MINUTE,
};
