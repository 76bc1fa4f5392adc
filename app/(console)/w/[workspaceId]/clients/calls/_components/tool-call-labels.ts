export const TOOLS = [
  { value: "svc_find_visits", text: "Find visits" },
  { value: "svc_explain_report", text: "Explain a Report" },
  { value: "svc_get_report", text: "Get Report" },
  { value: "svc_get_device", text: "Get a device" },
  { value: "svc_get_history", text: "Get History" },
  { value: "svc_get_usage", text: "Get usage" },
];

export const OUTCOMES = [
  { value: "answered", text: "Answered" },
  { value: "refused", text: "Refused, for any reason" },
  { value: "report_not_found", text: "No such Report" },
  { value: "forbidden", text: "Not permitted" },
  { value: "insufficient_scope", text: "Scope not allowed" },
  { value: "history_not_allowed", text: "History not in the plan" },
  { value: "account_map_not_allowed", text: "Account Map not in the plan" },
  { value: "rate_limited", text: "Too many calls" },
  { value: "quota_exhausted", text: "Quota used up" },
  { value: "invalid_request", text: "Not valid" },
];

/** Label of an outcome; the code itself if there is none. */
export const outcomeText = (code: string): string =>
  OUTCOMES.find(({ value }) => value === (code === "" ? "answered" : code))?.text ?? code;
