import type { NetworkFacts } from "@/lib/visits/network";
import { DAY_MS, HOUR_MS } from "@/lib/platform/calendar";
import {
  type Browser,
  BROWSERS,
  CHROME_ANDROID,
  CHROME_LINUX,
  CHROME_MAC,
  CHROME_WINDOWS,
  SAFARI_IPHONE,
} from "./browsers";
import type { Chance } from "./domain/chance";
import { type DemoNetwork, factsAt, HOMES, HOSTING, HOSTING_ASIA, MOBILES, TOR, VPN } from "./networks";
import type { Oddity } from "./oddities";

export type PlannedVisit = {
  at: Date;
  /** Index of the device in the plan. */
  device: number;
  browser: Browser;
  oddity: Oddity | undefined;
  /** The agent that signed the request, if any. */
  agent?: { name: string; keyId: string };
  timeZone: string;
  network: NetworkFacts;
  /** Networks of the challenge and of the probe, if different. */
  challenge?: NetworkFacts;
  probed?: NetworkFacts;
  surface: string;
  /** 0: the shop, 1: the account pages. */
  webApp: number;
  accountRef: string | undefined;
  /** Recognised without a token, because the visitor cleared the browser's storage. */
  isWithoutToken: boolean;
};

const MINUTE_MS = 60_000;
const NIGHT_HOUR_END = 3;

/** Share of a day's visits in each hour, UTC: quiet nights, busy evenings. */
const HOURS = [2, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 8, 9, 8, 8, 8, 8, 9, 10, 11, 11, 9, 6, 4] as const;
const HOUR_LIST = HOURS.flatMap((weight, hour) => Array<number>(weight).fill(hour)) as [number, ...number[]];

const SURFACES = ["default", "default", "product", "product", "sign-in", "sign-in", "checkout"] as const;
const OF_ACCOUNTS = new Set(["sign-in", "sign-up", "checkout"]);

type Story = Omit<
  PlannedVisit,
  "at" | "device" | "surface" | "webApp" | "accountRef" | "isWithoutToken" | "network"
> & {
  accounts: readonly string[];
};

class Planner {
  readonly visits: PlannedVisit[] = [];
  devices = 0;

  constructor(
    readonly chance: Chance,
    readonly from: Date,
    readonly days: number,
  ) {}

  /**
   * A random time in a day of the period, at an hour when people are awake. A day is the 24 hours until the time of day
   * at which the period ends: the last UTC day may have only just begun.
   */
  timeOn(day: number): Date {
    const start = this.from.getTime() + day * DAY_MS;
    const midnight = start - (start % DAY_MS);
    const at = midnight + this.chance.pick(HOUR_LIST) * HOUR_MS + this.chance.whole(HOUR_MS);
    return new Date(at < start ? at + DAY_MS : at);
  }

  /** A random time in the first quarter of the latest hour after 02:00 UTC that the period has whole. */
  timeLastNight(): Date {
    const until = this.from.getTime() + this.days * DAY_MS;
    const hourEnd = until - ((until - NIGHT_HOUR_END * HOUR_MS) % DAY_MS);
    return new Date(Math.max(this.from.getTime(), hourEnd - HOUR_MS + this.chance.whole(HOUR_MS / 4)));
  }

  add(
    device: number,
    at: Date,
    story: Story,
    visit: Pick<PlannedVisit, "network" | "surface"> & Partial<PlannedVisit>,
  ) {
    const { accounts, ...rest } = story;
    const account = accounts[this.chance.whole(accounts.length)];
    this.visits.push({
      ...rest,
      device,
      at,
      webApp: OF_ACCOUNTS.has(visit.surface) ? 1 : 0,
      accountRef: OF_ACCOUNTS.has(visit.surface) ? account : undefined,
      isWithoutToken: this.chance.isTrue(0.04),
      ...visit,
    });
  }
}

const zoneOf = (network: DemoNetwork): string => network.facts.timezone ?? "UTC";
const isPhone = (browser: Browser) => browser === CHROME_ANDROID || browser === SAFARI_IPHONE;

/** A returning visitor, at home and, with a phone, also on mobile networks. */
function addPerson(planner: Planner, person: number): void {
  const { chance } = planner;
  const device = planner.devices++;
  const browser = chance.pick(BROWSERS);
  const home = chance.pick(HOMES);
  const mobile = MOBILES.find(({ facts }) => facts.countryCode === home.facts.countryCode);
  const subscriber = chance.whole(30);
  const accounts = chance.isTrue(0.65) ? [`user-${1000 + person}`] : [];
  if (accounts.length > 0 && chance.isTrue(0.08)) accounts.push(`user-${1000 + person + 5000}`);
  const story: Story = { browser, oddity: undefined, timeZone: zoneOf(home), accounts };
  const everyDays = 1 + chance.next() * 12;
  for (let day = chance.next() * planner.days; day < planner.days; day += everyDays * (0.3 + 1.4 * chance.next())) {
    const isOut = isPhone(browser) && mobile !== undefined && chance.isTrue(0.35);
    const network = factsAt(isOut ? mobile : home, isOut ? chance.whole(30) : subscriber);
    let at = planner.timeOn(Math.floor(day));
    for (let step = 0; step < 1 + chance.whole(3); step += 1) {
      planner.add(device, at, story, { network, surface: chance.pick(SURFACES) });
      at = new Date(at.getTime() + (1 + chance.whole(9)) * MINUTE_MS);
    }
  }
}

/** A device with one oddity or one unusual network, and a few visits. */
function addOddPerson(planner: Planner, story: Story, network: NetworkFacts, visits: number): void {
  const device = planner.devices++;
  for (let count = 0; count < visits; count += 1)
    planner.add(device, planner.timeOn(planner.chance.whole(planner.days)), story, {
      network,
      surface: planner.chance.pick(SURFACES),
    });
}

function addOddPeople(planner: Planner): void {
  const { chance } = planner;
  const times = Math.max(1, Math.round(planner.days / 15));
  const at = (network: DemoNetwork) => factsAt(network, chance.whole(30));
  const [berlin] = HOMES;
  const london = HOMES.find(({ facts }) => facts.countryCode === "GB") ?? berlin;
  for (let count = 0; count < times; count += 1) {
    const home = chance.pick(HOMES);
    const plain = { timeZone: zoneOf(home), accounts: [`user-${3000 + count}`] };
    const few = () => 1 + chance.whole(5);
    addOddPerson(planner, { ...plain, browser: CHROME_WINDOWS, oddity: "olderHints" }, at(home), few());
    addOddPerson(planner, { ...plain, browser: CHROME_WINDOWS, oddity: "otherEngine" }, at(home), few());
    addOddPerson(planner, { ...plain, browser: CHROME_WINDOWS, oddity: "otherSystem" }, at(home), few());
    addOddPerson(planner, { ...plain, browser: CHROME_MAC, oddity: "touchedMac" }, at(home), few());
    addOddPerson(planner, { ...plain, browser: CHROME_WINDOWS, oddity: "withoutHints" }, at(home), few());
    addOddPerson(planner, { ...plain, browser: CHROME_WINDOWS, oddity: undefined }, at(VPN), 2 * few());
    addOddPerson(planner, { ...plain, browser: CHROME_LINUX, oddity: undefined }, at(TOR), few());
    const traveller = { ...plain, timeZone: "Asia/Tokyo", browser: SAFARI_IPHONE, oddity: undefined };
    addOddPerson(planner, traveller, at(berlin), few());
    const moved = { ...plain, browser: CHROME_MAC, oddity: undefined, challenge: at(berlin) };
    addOddPerson(planner, moved, at(london), few());
    const disguised = { ...plain, browser: CHROME_WINDOWS, oddity: undefined, probed: at(home) };
    addOddPerson(planner, disguised, at(HOSTING), few());
  }
}

/**
 * One automated browser on a hosting network that opens many accounts within an hour, on two days and last night. The
 * last attack is at a fixed hour, so that at any time of day all of it lies in the hours that the Overview compares.
 */
function addAccountFarm(planner: Planner): void {
  const device = planner.devices++;
  const story = { browser: CHROME_WINDOWS, oddity: "automated", timeZone: "Europe/Amsterdam", accounts: [] } as const;
  const network = factsAt(HOSTING, 7);
  for (const day of [0.35, 0.7, 1]) {
    const at = day === 1 ? planner.timeLastNight() : planner.timeOn(Math.max(0, Math.floor(planner.days * day) - 2));
    const start = at.getTime();
    for (let count = 0; count < 12; count += 1)
      planner.add(device, new Date(start + count * 4 * MINUTE_MS), story, {
        network,
        surface: "sign-up",
        accountRef: `farm-${Math.round(day * 100)}-${count}`,
      });
  }
}

/** A scraper without a token: every visit is a new device. */
function addScraper(planner: Planner): void {
  const { chance } = planner;
  const story = { browser: CHROME_LINUX, oddity: "automated", timeZone: "Asia/Singapore", accounts: [] } as const;
  const visits = Math.round(planner.days * 1.5);
  for (let count = 0; count < visits; count += 1) {
    const at = planner.timeOn(chance.whole(planner.days));
    planner.add(planner.devices++, at, story, { network: factsAt(HOSTING_ASIA, 3), surface: "product" });
  }
}

const SHOPPING_AGENT = { name: "Example Shopper", keyId: "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U" };

/** A shopping agent that signs its requests. */
function addAgent(planner: Planner): void {
  const device = planner.devices++;
  const story = {
    browser: CHROME_LINUX,
    oddity: "automated",
    timeZone: "UTC",
    accounts: [],
    agent: SHOPPING_AGENT,
  } as const;
  const visits = Math.max(2, Math.round(planner.days / 10));
  for (let count = 0; count < visits; count += 1) {
    const at = planner.timeOn(planner.chance.whole(planner.days));
    planner.add(device, at, story, { network: factsAt(HOSTING, 9), surface: "checkout" });
  }
}

/** An account used on devices in several countries in the last days of the period. */
export const SHARED_ACCOUNT = "user-1007";

function addSharedAccount(planner: Planner): void {
  for (const home of HOMES.slice(0, 5)) {
    const device = planner.devices++;
    const story = { browser: CHROME_ANDROID, oddity: undefined, timeZone: zoneOf(home), accounts: [SHARED_ACCOUNT] };
    for (let back = 0; back < 3; back += 1) {
      const day = Math.max(0, planner.days - 1 - planner.chance.whole(5));
      planner.add(device, planner.timeOn(day), story, { network: factsAt(home, 11), surface: "sign-in" });
    }
  }
}

const PEOPLE_PER_DAY = 3;
const MIN_PEOPLE = 30;

/** Plans all demo visits in the `days` before `until`, oldest first. */
export function planVisits(chance: Chance, until: Date, days: number): PlannedVisit[] {
  const from = new Date(until.getTime() - days * DAY_MS);
  const planner = new Planner(chance, from, days);
  const people = Math.max(MIN_PEOPLE, days * PEOPLE_PER_DAY);
  for (let person = 0; person < people; person += 1) addPerson(planner, person);
  addOddPeople(planner);
  addAccountFarm(planner);
  addScraper(planner);
  addSharedAccount(planner);
  addAgent(planner);
  return planner.visits.filter(({ at }) => at < until).sort((a, b) => a.at.getTime() - b.at.getTime());
}
