import { z } from "zod";

import { areHosts, areHttpsUrls, port } from "./env-values";

/** Variables of IP data, the address probe and declared agents. */
export const networkVariables = {
  IP_PACKAGES: z
    .stringbool()
    .default(true)
    .describe(
      "Load the installed IP data packages. `false` saves their memory in each process; locations and networks are then unknown unless you provide your own files.",
    ),
  IP_CITY_DB: z
    .string()
    .optional()
    .describe(
      "Your own city or country database (GeoLite2, GeoIP2, DB-IP, IPinfo, IP2Location); takes precedence over the packages.",
    ),
  IP_ASN_DB: z.string().optional().describe("Your own ASN or ISP database, from the same suppliers."),
  IP_ANONYMOUS_DB: z
    .string()
    .optional()
    .describe("Your own database of anonymous networks (GeoIP2 Anonymous IP, IPinfo Privacy, IP2Proxy)."),
  IP_TOR_LIST_URL: z
    .string()
    .default("https://check.torproject.org/torbulkexitlist")
    .describe(
      "Tor exit lists that `npm run ip:update` reads: URLs or files, separated by spaces; `none` to read none.",
    ),
  IP_RELAY_LIST_URL: z
    .string()
    .default("https://mask-api.icloud.com/egress-ip-ranges.csv https://api.cloudflare.com/local-ip-ranges.csv")
    .describe("Privacy relay egress lists that it reads."),
  IP_VPN_LIST_URL: z.string().optional().describe("VPN address lists that it reads. Default: none."),
  IP_CLOUD_LIST_URL: z
    .string()
    .default("https://ip-ranges.amazonaws.com/ip-ranges.json https://www.gstatic.com/ipranges/cloud.json")
    .describe("Cloud provider range lists that it reads."),
  PROBE_UDP_PORT: port
    .optional()
    .describe("UDP port of the address probe. The probe is off unless this and `PROBE_PUBLIC_HOST` are set."),
  PROBE_PUBLIC_HOST: z
    .string()
    .regex(
      /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?$/,
      "expected a host name or IP address, with :PORT if it differs",
    )
    .optional()
    .describe("Host at which browsers reach the address probe, with `:PORT` if it differs from `PROBE_UDP_PORT`."),
  WEBHOOKS_ALLOW_PRIVATE: z
    .stringbool()
    .default(false)
    .describe(
      "Allow webhooks to http URLs and private networks. For development only: members could reach hosts that only this machine can.",
    ),
  AGENT_KEYS_FILE: z
    .string()
    .optional()
    .describe("File of known automated agents and their public keys; see the docs on risk."),
  AGENT_DIRECTORIES: z
    .string()
    .default("")
    .refine(areHttpsUrls, "expected https URLs, separated by spaces")
    .describe("Agents whose published keys are fetched: https URLs, separated by spaces. Default: none."),
  AGENT_HOSTS: z
    .string()
    .default("")
    .refine(areHosts, "expected hosts such as reports.example.com, with :PORT unless it is the default port")
    .describe("Hosts, besides that of `BASE_URL`, for which an agent's signature is accepted, separated by spaces."),
};
