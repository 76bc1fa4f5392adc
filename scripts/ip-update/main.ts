import { resolve } from "node:path";

import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { LIST_NAMES, type ListUpdate, updateLists } from "@/lib/visits/network";
import { JSON_OPTION, runCommand } from "../common/command";

const urlsOf = (value: string | undefined) =>
  value === undefined || value === "none" ? [] : value.split(/\s+/).filter((url) => url !== "");

const SOURCES = {
  tor: urlsOf(env.IP_TOR_LIST_URL),
  relay: urlsOf(env.IP_RELAY_LIST_URL),
  vpn: urlsOf(env.IP_VPN_LIST_URL),
  cloud: urlsOf(env.IP_CLOUD_LIST_URL),
};

const line = ({ name, outcome, entries, before, problem }: ListUpdate) => {
  const change = before === undefined || outcome !== "updated" ? "" : ` (before: ${before})`;
  return `${name.padEnd(6)} ${outcome.padEnd(10)} ${String(entries).padStart(7)}${change}${problem === undefined ? "" : `  ${problem}`}`;
};

await runCommand({
  name: "ip:update",
  about: `Fetches published address lists, checks them and installs them in DATA_DIR/ip/lists. A running service picks them up within seconds, without a restart.

  tor     exits of the Tor network             IP_TOR_LIST_URL
  relay   exits of privacy relays              IP_RELAY_LIST_URL
  vpn     addresses of VPN services            IP_VPN_LIST_URL     (no default)
  cloud   ranges of cloud providers            IP_CLOUD_LIST_URL

Each variable holds addresses (http, https) or paths of files, separated by blanks; "none" turns a list off. A list is refused, and the one in place kept, when entries make no sense, when it is too short, or when its size changed by more than half.`,
  options: {
    only: { type: "string", multiple: true, value: "LIST", about: "only this list; can be repeated" },
    force: { type: "boolean", default: false, about: "accept a list whose size changed by more than half" },
    json: JSON_OPTION,
  },
  notes: "Exit code 1: a list was refused.",
  async run(values) {
    const wanted: readonly string[] = values.only ?? LIST_NAMES;
    const unknown = wanted.filter((name) => !LIST_NAMES.some((known) => known === name));
    if (unknown.length > 0) throw new Error(`--only: ${unknown.join(", ")} is not one of ${LIST_NAMES.join(", ")}.`);
    const sources = Object.fromEntries(Object.entries(SOURCES).filter(([name]) => wanted.includes(name)));
    const updates = await updateLists({ dataDir: resolve(env.DATA_DIR), sources, isForced: values.force, now: now() });
    const shown = updates.filter(({ name }) => wanted.includes(name));
    console.log(values.json ? JSON.stringify({ lists: shown }) : shown.map(line).join("\n"));
    return shown.some(({ outcome }) => outcome === "refused") ? 1 : 0;
  },
});
