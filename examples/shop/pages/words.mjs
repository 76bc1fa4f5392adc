/** @typedef {import("imprint-server").Report} Report */

/** What each reason of a Report says in words. @type {Record<string, string>} */
const REASONS = {
  BROWSER_VERSION_MISMATCH: "The browser's versions disagree.",
  BROWSER_IDENTITY_MISMATCH: "One browser presents itself as another.",
  OS_ENVIRONMENT_MISMATCH: "The operating system is not the one claimed.",
  AUTOMATION_DETECTED: "The browser is driven by software.",
  ENVIRONMENT_INCONSISTENT: "The device's properties contradict each other.",
  PROXY_DETECTED: "The visit came through a proxy or VPN.",
  HOSTING_NETWORK_DETECTED: "The address belongs to a hosting provider.",
  NETWORK_INCONSISTENT: "Two public addresses of the visit do not match.",
  LOCATION_INCONSISTENT: "Signs of place point to different places.",
  SIGNAL_DATA_INCOMPLETE: "Some checks could not run.",
};

/** @type {Record<string, string>} */
const CONNECTIONS = {
  residential: "a home connection",
  mobile: "a mobile carrier",
  corporate: "a company's network",
  hosting: "a hosting network",
  proxy: "a proxy",
  unknown: "a network of unknown kind",
};

/** New reasons may come: an unknown one is shown as it is. @param {string} reason */
export const reasonInWords = (reason) => REASONS[reason] ?? reason;

export const VERDICTS = {
  PASS: "Nothing about this visit needs attention.",
  SUSPICIOUS: "Something about this visit needs attention.",
  DECEPTIVE: "Clear signs of disguise, automation or a high-risk network.",
};

/** @param {Report["browser"]} part */
const named = ({ name, version }) => (name ? [name, version].filter(Boolean).join(" ") : "not recognised");

/** @param {Report["network"]} network */
function networkInWords({ observed_ip, connection_type, provider, location, country_code }) {
  if (!observed_ip) return "no public address, so nothing is known of the network";
  const place = [location?.city, location?.country_name ?? country_code].filter(Boolean).join(", ");
  const kind = CONNECTIONS[connection_type ?? "unknown"] ?? "a network of unknown kind";
  return `${observed_ip}, ${kind}${provider ? ` (${provider})` : ""}${place ? `, ${place}` : ""}`;
}

/** @param {Report["device"]} device */
function visitsInWords({ seen_before, access_count, previous_seen_at }) {
  if (!seen_before) return "first visit of this device";
  return `visit ${access_count} of this device, the one before at ${previous_seen_at}`;
}

/** The facts of a Report as pairs of a name and a sentence. @param {Report} report @returns {[name: string, text: string][]} */
export const factsInWords = (report) => [
  ["Device", visitsInWords(report.device)],
  ["Browser", `${named(report.browser)} on ${named(report.operating_system)}`],
  ["Network", networkInWords(report.network)],
];
