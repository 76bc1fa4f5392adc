import { CAPABILITIES, PRODUCT_CODE, REPORT_UNITS } from "@/lib/contract/product";
import type { GrantStatus, TrialGrant } from "@/lib/contract/trial";

type Grant = {
  status: GrantStatus;
  expiresAt: Date;
  unitsUsed: number;
  submitRequests: number;
  submitRequestsUsed: number;
  reportRequests: number;
  reportRequestsUsed: number;
  requestsPerSecond: number;
};

/** A grant as returned by the API. */
export const describeGrant = (grant: Grant): TrialGrant => ({
  status: grant.status,
  product_code: PRODUCT_CODE,
  total_report_units: REPORT_UNITS,
  used_report_units: grant.unitsUsed,
  remaining_report_units: REPORT_UNITS - grant.unitsUsed,
  expires_at: grant.expiresAt.toISOString(),
  capabilities: [...CAPABILITIES],
  limits: {
    submit_requests: grant.submitRequests,
    submit_requests_used: grant.submitRequestsUsed,
    report_requests: grant.reportRequests,
    report_requests_used: grant.reportRequestsUsed,
    requests_per_second: grant.requestsPerSecond,
  },
  remaining_submit_requests: grant.submitRequests - grant.submitRequestsUsed,
  remaining_report_requests: grant.reportRequests - grant.reportRequestsUsed,
});
