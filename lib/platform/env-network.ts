import { z } from "zod";

import { areHosts, areHttpsUrls, port } from "./env-values";

/** Variables of what is known about addresses: network data, the address probe, declared agents. */
export const networkVariables = {
  IP_PACKAGES: z
    .stringbool()
    .default(true)
    .describe(
      "Use the network data packages that are installed. `false` saves their memory in each process; places and networks stay unknown, except from your own files.",
    ),
  IP_CITY_DB: z
    .string()
    .optional()
    .describe(
      "Your own city or country file (GeoLite2, GeoIP2, DB-IP, IPinfo, IP2Location); takes precedence over the packages.",
    ),
  IP_ASN_DB: z.string().optional().describe("Your own ASN or ISP file, of the same suppliers."),
  IP_ANONYMOUS_DB: z
    .string()
    .optional()
    .describe("Your own file of anonymous networks (GeoIP2 Anonymous IP, IPinfo Privacy, IP2Proxy)."),
  IP_TOR_LIST_URL: z
    .string()
    .default("https://check.torproject.org/torbulkexitlist")
    .describe(
      "Where `npm run ip:update` reads Tor exits: addresses or files, separated by blanks; `none` for no list.",
    ),
  IP_RELAY_LIST_URL: z
    .string()
    .default("https://mask-api.icloud.com/egress-ip-ranges.csv https://api.cloudflare.com/local-ip-ranges.csv")
    .describe("Where it reads exits of privacy relays."),
  IP_VPN_LIST_URL: z.string().optional().describe("Where it reads addresses of VPN services. Default: no list."),
  IP_CLOUD_LIST_URL: z
    .string()
    .default("https://ip-ranges.amazonaws.com/ip-ranges.json https://www.gstatic.com/ipranges/cloud.json")
    .describe("Where it reads ranges of cloud providers."),
  PROBE_UDP_PORT: port
    .optional()
    .describe("UDP port of the address probe. Without it and `PROBE_PUBLIC_HOST` there is no probe."),
  PROBE_PUBLIC_HOST: z
    .string()
    .regex(
      /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?$/,
      "expected a host name or address, with :PORT if it differs",
    )
    .optional()
    .describe("Host at which browsers reach the address probe, with `:PORT` when that differs from `PROBE_UDP_PORT`."),
  WEBHOOKS_ALLOW_PRIVATE: z
    .stringbool()
    .default(false)
    .describe(
      "Webhooks may go to http addresses and into private networks. For development: members could reach what only this machine can.",
    ),
  AGENT_KEYS_FILE: z
    .string()
    .optional()
    .describe("File of the automated agents that you know and their public keys; see the docs on risk."),
  AGENT_DIRECTORIES: z
    .string()
    .default("")
    .refine(areHttpsUrls, "expected https addresses, separated by blanks")
    .describe("Agents whose published keys are fetched: https addresses, separated by blanks. Default: none is asked."),
  AGENT_HOSTS: z
    .string()
    .default("")
    .refine(areHosts, "expected hosts such as reports.example.com, with :PORT where it is not the usual one")
    .describe("Hosts besides that of `BASE_URL` that an agent's signature may be made for, separated by blanks."),
};
