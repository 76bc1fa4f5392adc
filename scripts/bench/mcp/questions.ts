import { ERRORS } from "@/lib/contract/errors";
import { RISK_RULES } from "@/lib/visits/risk";
import type { McpClient } from "./client";
import { lastDays, type Truth } from "./truth";

/** What the person asking already knows. */
export type Known = {
  account: string;
  /** SQL condition for the account's planned visits, since no table contains its plain reference. */
  ofAccount: string;
  device: string;
  imprint: string;
  address: string;
};

export type Question = {
  text: string;
  /** How a client would answer it that knows only the tool descriptions. */
  ask: (client: McpClient, known: Known) => Promise<unknown>;
  /** The correct answer, from the tables. */
  truth: (truth: Truth, known: Known) => Promise<unknown>;
};

const MONTH = lastDays(30);
const WEEK = lastDays(7);
const WEEK_BEFORE = lastDays(7, 8);

const find = (client: McpClient, given: object) => client.tool("svc_find_visits", { ...MONTH, ...given });
const counts = (client: McpClient, given: object = {}) => find(client, { ...given, limit: 0 });
const device = (client: McpClient, id: string) => client.tool("svc_get_device", { device: id });
const explain = (client: McpClient, imprint: string) => client.tool("svc_explain_report", { imprint });

const sum = (answer: { number: (...path: string[]) => number }) =>
  answer.number("by_status", "SUSPICIOUS") + answer.number("by_status", "DECEPTIVE");

const VISITS = "select count(*) from visits where";
const DEVICES = "select count(distinct device_id) from visits where";
const AUTOMATED = "reasons @> array['AUTOMATION_DETECTED']";
const mostFrequent = (column: string, condition: string) =>
  `select ${column} from visits where ${condition} and ${column} is not null group by 1 order by count(*) desc, 1 limit 1`;
const busiest = (truth: Truth) =>
  `select device_id from visits where ${truth.within(MONTH)} and ${AUTOMATED} group by 1 order by count(*) desc limit 1`;
const ofDevice = (truth: Truth, { device: id }: Known) => `workspace_id = $w and device_id = '${truth.uuid(id)}'`;
const ofImprint = (truth: Truth, { imprint }: Known) => `workspace_id = $w and event_id = '${truth.uuid(imprint)}'`;
const newest = (truth: Truth, condition: string) =>
  `select event_id from visits where ${truth.within(MONTH)} and ${condition} order by recorded_at desc, event_id desc limit 1`;

const OVERVIEW: readonly Question[] = [
  {
    text: "How many visits were there in the last 30 days?",
    ask: async (client) => (await counts(client)).number("total"),
    truth: (truth) => truth.number(`${VISITS} ${truth.within(MONTH)}`),
  },
  {
    text: "How many of them were DECEPTIVE?",
    ask: async (client) => (await counts(client)).number("by_status", "DECEPTIVE"),
    truth: (truth) => truth.number(`${VISITS} ${truth.within(MONTH)} and status = 'DECEPTIVE'`),
  },
  {
    text: "How many devices made them?",
    ask: async (client) => (await counts(client)).number("devices"),
    truth: (truth) => truth.number(`${DEVICES} ${truth.within(MONTH)}`),
  },
  {
    text: "Which reason was found most often?",
    ask: async (client) => (await counts(client)).keys("by_reason")[0],
    truth: (truth) =>
      truth.text(
        `select r from visits, unnest(reasons) r where ${truth.within(MONTH)} group by 1 order by count(*) desc, 1 limit 1`,
      ),
  },
  {
    text: "From which country did most visits come?",
    ask: async (client) => (await counts(client)).keys("by_country")[0],
    truth: (truth) => truth.text(mostFrequent("country_code", truth.within(MONTH))),
  },
  {
    text: "Which browser was used most among visits that were not PASS?",
    async ask(client) {
      const both = [await counts(client, { status: "SUSPICIOUS" }), await counts(client, { status: "DECEPTIVE" })];
      const names = [...new Set(both.flatMap((each) => each.keys("by_browser")))];
      const total = (name: string) => both.reduce((so, each) => so + each.number("by_browser", name), 0);
      return names.sort((a, b) => total(b) - total(a))[0];
    },
    truth: (truth) => truth.text(mostFrequent("browser_name", `${truth.within(MONTH)} and status <> 'PASS'`)),
  },
  {
    text: "How many visits came out of data centres?",
    ask: async (client) => (await counts(client)).number("by_connection", "hosting"),
    truth: (truth) => truth.number(`${VISITS} ${truth.within(MONTH)} and connection_type = 'hosting'`),
  },
  {
    text: "How many more or fewer visits were not PASS in the last seven days than in the seven before?",
    ask: async (client) => sum(await counts(client, WEEK)) - sum(await counts(client, WEEK_BEFORE)),
    async truth(truth) {
      const count = (span: typeof WEEK) => truth.number(`${VISITS} ${truth.within(span)} and status <> 'PASS'`);
      return (await count(WEEK)) - (await count(WEEK_BEFORE));
    },
  },
];

const ACCOUNTS: readonly Question[] = [
  {
    text: "On how many devices was this account ever used?",
    ask: async (client, { account }) => (await counts(client, { account })).number("account", "devices"),
    truth: (truth, { ofAccount }) => truth.number(`${DEVICES} ${ofAccount}`),
  },
  {
    text: "From which countries was this account used?",
    ask: async (client, { account }) => (await counts(client, { account })).keys("by_country").sort(),
    truth: (truth, { ofAccount }) =>
      truth.texts(
        `select distinct country_code collate "C" from visits where ${truth.within(MONTH)} and ${ofAccount} order by 1`,
      ),
  },
  {
    text: "When was this account last seen?",
    ask: async (client, { account }) => (await counts(client, { account })).text("account", "last_seen_at"),
    truth: (truth, { ofAccount }) => truth.instant(`select max(recorded_at) from visits where ${ofAccount}`),
  },
  {
    text: "Was any visit of this account anything but PASS?",
    ask: async (client, { account }) => sum(await counts(client, { account })) > 0,
    truth: async (truth, { ofAccount }) =>
      (await truth.number(`${VISITS} ${truth.within(MONTH)} and ${ofAccount} and status <> 'PASS'`)) > 0,
  },
  {
    text: "Was the account user-4242-nobody ever seen?",
    ask: async (client) => (await counts(client, { account: "user-4242-nobody" })).at("account") !== null,
    truth: () => Promise.resolve(false),
  },
  {
    text: "How many accounts used the newest device of this account?",
    async ask(client, { account }) {
      const id = (await counts(client, { account })).text("account", "newest_devices", 0, "device");
      return (await device(client, id)).number("account_count");
    },
    truth: (truth, { ofAccount }) =>
      truth.number(`select count(*) from device_accounts where workspace_id = $w and device_id = (
        select device_id from visits where ${ofAccount} group by 1 order by min(recorded_at) desc limit 1)`),
  },
];

const ATTACKS: readonly Question[] = [
  {
    text: "Which device made most of the automated visits?",
    ask: async (client) =>
      (await counts(client, { reason: "AUTOMATION_DETECTED" })).text("busiest_devices", 0, "device"),
    truth: (truth) => truth.id("device", busiest(truth)),
  },
  {
    text: "How many accounts used that device?",
    async ask(client) {
      const found = await counts(client, { reason: "AUTOMATION_DETECTED" });
      return (await device(client, found.text("busiest_devices", 0, "device"))).number("account_count");
    },
    truth: (truth) =>
      truth.number(`select count(*) from device_accounts where workspace_id = $w and device_id = (${busiest(truth)})`),
  },
  {
    text: "From which address did that device last visit?",
    async ask(client) {
      const found = await counts(client, { reason: "AUTOMATION_DETECTED" });
      return (await device(client, found.text("busiest_devices", 0, "device"))).text("addresses", 0, "address");
    },
    truth: (truth) =>
      truth.text(`select host(address) from device_addresses where workspace_id = $w and device_id = (${busiest(truth)})
        order by last_seen_at desc limit 1`),
  },
  {
    text: "How many devices made automated visits, and how many visits were that?",
    async ask(client) {
      const found = await counts(client, { reason: "AUTOMATION_DETECTED" });
      return [found.number("devices"), found.number("total")];
    },
    truth: async (truth) => [
      await truth.number(`${DEVICES} ${truth.within(MONTH)} and ${AUTOMATED}`),
      await truth.number(`${VISITS} ${truth.within(MONTH)} and ${AUTOMATED}`),
    ],
  },
  {
    text: "What is the rule based on that detected the newest automated visit?",
    async ask(client) {
      const [visit] = (await find(client, { reason: "AUTOMATION_DETECTED", limit: 1 })).list("visits");
      const explained = await explain(client, visit?.text("imprint") ?? "");
      return explained
        .list("findings")
        .find((each) => each.text("reason") === "AUTOMATION_DETECTED")
        ?.text("source");
    },
    truth: () => Promise.resolve(RISK_RULES.find(({ id }) => id === "automation.webdriver-flag")?.source),
  },
  {
    text: "Which provider's network did the newest visit through a proxy or VPN come from?",
    async ask(client) {
      const [visit] = (await find(client, { reason: "PROXY_DETECTED", limit: 1 })).list("visits");
      return (await explain(client, visit?.text("imprint") ?? "")).text("provider");
    },
    truth: (truth) =>
      truth.text(`select report::json->'network'->>'provider' from visits where workspace_id = $w and event_id = (
        ${newest(truth, "reasons @> array['PROXY_DETECTED']")})`),
  },
  {
    text: "How many devices were seen at this address?",
    ask: async (client, { address }) => (await counts(client, { address })).number("devices"),
    truth: (truth, { address }) => truth.number(`${DEVICES} ${truth.within(MONTH)} and address = '${address}'`),
  },
  {
    text: "How many visits of the range 203.0.113.0/24 were not PASS?",
    ask: async (client) => sum(await counts(client, { address: "203.0.113.0/24" })),
    truth: (truth) =>
      truth.number(`${VISITS} ${truth.within(MONTH)} and address <<= '203.0.113.0/24' and status <> 'PASS'`),
  },
  {
    text: "How many visits came from the network AS64508, and which reasons did they have?",
    async ask(client) {
      const found = await counts(client, { asn: 64508 });
      return [found.number("total"), found.keys("by_reason").sort()];
    },
    truth: async (truth) => [
      await truth.number(`${VISITS} ${truth.within(MONTH)} and asn = 64508`),
      await truth.texts(
        `select distinct r collate "C" from visits, unnest(reasons) r where ${truth.within(MONTH)} and asn = 64508 order by 1`,
      ),
    ],
  },
];

const SINGLE: readonly Question[] = [
  {
    text: "When was this device first seen, and how many visits has it made?",
    async ask(client, known) {
      const found = await device(client, known.device);
      return [found.text("first_seen_at"), found.number("visits")];
    },
    truth: async (truth, known) => [
      await truth.instant(`select first_seen_at from devices where ${ofDevice(truth, known)}`),
      await truth.number(`${VISITS} ${ofDevice(truth, known)}`),
    ],
  },
  {
    text: "How was the device of this imprint recognised, and on which surface?",
    async ask(client, { imprint }) {
      const found = await explain(client, imprint);
      return [found.text("recognised_by"), found.text("surface")];
    },
    truth: async (truth, known) => [
      "Device token",
      await truth.text(`select surface from visits where ${ofImprint(truth, known)}`),
    ],
  },
  {
    text: "From which city did this imprint's visit come?",
    ask: async (client, { imprint }) =>
      (await client.tool("svc_get_report", { imprint })).text("network", "location", "city"),
    truth: (truth, known) =>
      truth.text(`select report::json->'network'->'location'->>'city' from visits where ${ofImprint(truth, known)}`),
  },
  {
    text: "How many visits did the device behind this imprint make in the last 30 days?",
    ask: async (client, { imprint }) =>
      (await client.tool("svc_get_history", { imprint, ...MONTH })).number("summary", "events"),
    truth: (truth, known) =>
      truth.number(
        `${VISITS} ${truth.within(MONTH)} and device_id = (select device_id from visits where ${ofImprint(truth, known)})`,
      ),
  },
];

const USAGE: readonly Question[] = [
  {
    text: "How many calls for Reports in the last 30 days found none?",
    async ask(client) {
      const found = await client.tool("svc_get_usage", MONTH);
      const reads = found.list("operations").find((each) => each.text("operation") === "readReport");
      return reads?.number("outcomes", "missing");
    },
    truth: (truth) =>
      truth.number(`select sum(calls) from usage_days where workspace_id = $w and operation = 'readReport'
        and outcome = 'missing' and day between '${MONTH.from}' and '${MONTH.to}'`),
  },
  {
    text: "How many report units were used in the last seven days?",
    ask: async (client) => (await client.tool("svc_get_usage", WEEK)).number("total", "units"),
    truth: (truth) =>
      truth.number(
        `select sum(units) from usage_days where workspace_id = $w and day between '${WEEK.from}' and '${WEEK.to}'`,
      ),
  },
  {
    text: "What does the error quota_exhausted mean?",
    ask: async (client) => (await client.resource("/docs/errors/quota_exhausted.md")).split("\n")[2],
    truth: () => Promise.resolve(`Status ${ERRORS.quota_exhausted.status}. ${ERRORS.quota_exhausted.message}.`),
  },
];

export const QUESTIONS: readonly Question[] = [...OVERVIEW, ...ACCOUNTS, ...ATTACKS, ...SINGLE, ...USAGE];
