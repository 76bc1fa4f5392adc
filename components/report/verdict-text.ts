import type { Reason, ReportStatus } from "@/lib/contract/report";

/** Each reason as a phrase of a sentence. */
const PHRASES: Record<Reason, string> = {
  AUTOMATION_DETECTED: "signs of automation",
  BROWSER_IDENTITY_MISMATCH: "one browser in the guise of another",
  BROWSER_VERSION_MISMATCH: "browser versions that disagree",
  OS_ENVIRONMENT_MISMATCH: "another operating system than claimed",
  ENVIRONMENT_INCONSISTENT: "device properties that contradict each other",
  HOSTING_NETWORK_DETECTED: "from a hosting network",
  PROXY_DETECTED: "through a proxy or VPN",
  NETWORK_INCONSISTENT: "two public addresses that do not match",
  LOCATION_INCONSISTENT: "signs of different places",
  SIGNAL_DATA_INCOMPLETE: "some checks could not run",
};

/** Maximum number of reasons in a headline. */
const MAX_NAMED = 2;

/** The verdict in words: most severe reasons first, in the order of the phrases above. */
export function verdictText(findings: readonly { reason: Reason; status: ReportStatus }[]): string {
  const order = Object.keys(PHRASES) as Reason[];
  const severity = (reason: Reason) =>
    findings.some((finding) => finding.reason === reason && finding.status === "DECEPTIVE") ? 0 : 1;
  const reasons = [...new Set(findings.map(({ reason }) => reason))].sort(
    (a, b) => severity(a) - severity(b) || order.indexOf(a) - order.indexOf(b),
  );
  if (reasons.length === 0) return "Nothing needs attention";
  const named = reasons.slice(0, MAX_NAMED).map((reason) => PHRASES[reason]);
  const rest = reasons.length - named.length;
  const text = `${named.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
