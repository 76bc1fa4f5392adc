import { FONTS } from "@/lib/contract/signal-lists";
import {
  DOCKING,
  LOCALES,
  MEAN_VISITS,
  NETWORKS,
  PER_MONTH,
  PER_VISIT,
  PRIVATE_WINDOWS,
  RELEASES,
  COOKIE_DAYS,
  SAFARI_STORAGE_DAYS,
  STREAM_DAYS,
  TRAVEL,
  TWO_GPUS,
} from "./assumptions";
import type { Machine, Screen } from "./draw-device";
import type { Random } from "../../common/random";
import type { World } from "./worlds";

/** One visit as the service sees it, and the device it really came from. */
export type StreamVisit = {
  device: number;
  /** Days since the start, fractional. */
  day: number;
  machine: Machine;
  /** Major version of the browser, and the rest of the version in its user agent. */
  major: number;
  minor: number;
  screen: Screen;
  timeZone: string;
  gpu: string;
  /** The token in the browser's storage; a number that did not occur before is a new token. */
  token: number;
  isPrivate: boolean;
  /** Constant while the browser runs; seeds its noise. */
  session: number;
  network: string;
};

type Owner = {
  machine: Machine;
  random: Random;
  rate: number;
  homeNetwork: string;
  office: string | undefined;
  carrier: number;
  usesPrivateWindows: boolean;
  dock: Screen | undefined;
  secondGpu: string | undefined;
  delayDays: number;
  /** Share of its visits made in the office. */
  officeVisits: number;
  /** Day on which it leaves the office. */
  officeUntilDay: number;
  meanVisits: number;
  cleared: number;
  /** How long Safari keeps its token without a visit. */
  safariStorageDays: number;
  /** Period in which the device exists. */
  fromDay: number;
  untilDay: number;
};

/** Generates numbers for tokens, sessions and networks that are unique within a stream. */
type Counter = () => number;

const DESKTOP_DOCKS: readonly Screen[] = [
  { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040, colorDepth: 24, devicePixelRatio: 1 },
  { width: 2560, height: 1440, availWidth: 2560, availHeight: 1400, colorDepth: 24, devicePixelRatio: 1 },
  { width: 1920, height: 1200, availWidth: 1920, availHeight: 1160, colorDepth: 24, devicePixelRatio: 1 },
  { width: 3440, height: 1440, availWidth: 3440, availHeight: 1400, colorDepth: 24, devicePixelRatio: 1 },
];

export const majorIn = (userAgent: string): number =>
  Number(/(?:Chrome|Firefox|Version|FxiOS|CriOS)\/(\d+)/.exec(userAgent)?.[1] ?? "0");

/** Number of releases that reached the device by `day`. */
const releasesBy = (owner: Owner, day: number, everyDays: number): number =>
  Math.max(0, Math.floor(((day - owner.delayDays) * owner.rate) / everyDays));

function versionOn(owner: Owner, day: number): { major: number; minor: number } {
  const first = majorIn(owner.machine.userAgent);
  if (owner.machine.engine === "webkit") return { major: first, minor: releasesBy(owner, day, RELEASES.safariDays) };
  return { major: first + releasesBy(owner, day, RELEASES.days), minor: 0 };
}

/** Advances slow changes by `days`. */
function age(owner: Owner, days: number, newNetwork: () => string): void {
  const { random, rate, machine } = owner;
  const happens = (perMonth: number) => random.chance(1 - (1 - Math.min(0.95, perMonth * rate)) ** (days / 30));
  if (happens(PER_MONTH.homeNetworkMoved)) owner.homeNetwork = newNetwork();
  if (!machine.isMobile && happens(PER_MONTH.fontsInstalled)) {
    const at = random.below(FONTS.length);
    machine.fonts = Array.from(machine.fonts, (digit, index) => (index === at ? "1" : digit)).join("");
  }
  if (happens(PER_MONTH.gpuRenamed) && machine.engine === "blink") machine.gpu = `${machine.gpu} `.replace("  ", " +");
  if (machine.hints !== undefined && happens(PER_MONTH.systemUpdated)) {
    const parts = machine.hints.platformVersion.split(".").map(Number);
    if (machine.system === "macos" && parts.length === 3 && parts.every((part) => !Number.isNaN(part)))
      machine.hints.platformVersion = [parts[0], (parts[1] ?? 0) + 1, 0].join(".");
    else if (machine.system === "android" && random.chance(0.15) && parts[0] !== undefined)
      machine.hints.platformVersion = [parts[0] + 1, 0, 0].join(".");
    else if (machine.system === "windows" && machine.hints.platformVersion === "15.0.0" && random.chance(0.2))
      machine.hints.platformVersion = "19.0.0";
  }
  if (random.chance(Math.min(0.5, PER_VISIT.languageChanged * rate)))
    machine.language = LOCALES[random.below(LOCALES.length)]?.[0] ?? machine.language;
}

function networkOf(owner: Owner, day: number): string {
  const { random, machine, carrier } = owner;
  const office = day < owner.officeUntilDay ? owner.office : undefined;
  if (machine.isMobile && random.chance(NETWORKS.carrier.visits))
    return `carrier-${carrier}-${random.below(NETWORKS.carrier.prefixes)}`;
  return office !== undefined && random.chance(owner.officeVisits) ? office : owner.homeNetwork;
}

function screenOf(owner: Owner): Screen {
  const { random, machine, dock, rate } = owner;
  const own = dock !== undefined && random.chance(Math.min(0.9, DOCKING.visits * rate)) ? dock : machine.screen;
  const isZoomed = !machine.isMobile && random.chance(PER_VISIT.zoomed * rate);
  return isZoomed ? { ...own, devicePixelRatio: own.devicePixelRatio * (random.chance(0.5) ? 1.1 : 1.25) } : own;
}

/** All visits of one device over the stream. */
function* visitsOf(device: number, owner: Owner, counter: Counter): Generator<StreamVisit> {
  const { random, rate, machine } = owner;
  const newNetwork = () => `home-${counter()}`;
  const visitsPerDay = (owner.meanVisits / STREAM_DAYS) * (0.25 + random.exponential(0.75));
  let token = counter();
  let lastDay: number | undefined;
  let trip: { until: number; timeZone: string; network: string } | undefined;
  const next = () => random.exponential(1 / visitsPerDay);
  for (let day = owner.fromDay + next(); day < owner.untilDay; day += next()) {
    const idleDays = lastDay === undefined ? 0 : day - lastDay;
    age(owner, idleDays, newNetwork);
    const isPrivate = owner.usesPrivateWindows && random.chance(Math.min(0.9, PRIVATE_WINDOWS.visits * rate));
    const isCapped = machine.engine === "webkit" && idleDays > owner.safariStorageDays;
    if (isCapped || random.chance(Math.min(0.95, owner.cleared * rate))) token = counter();
    if (trip !== undefined && trip.until < day) trip = undefined;
    if (trip === undefined && random.chance(1 - Math.exp((-TRAVEL.tripsPerMonth * rate * idleDays) / 30)))
      trip = {
        until: day + random.exponential(TRAVEL.meanDays),
        timeZone: LOCALES[random.below(LOCALES.length)]?.[1] ?? machine.timeZone,
        network: newNetwork(),
      };
    lastDay = day;
    yield {
      device,
      day,
      machine: { ...machine, hints: machine.hints && { ...machine.hints } },
      ...versionOn(owner, day),
      screen: screenOf(owner),
      timeZone: trip?.timeZone ?? machine.timeZone,
      gpu: owner.secondGpu !== undefined && random.chance(TWO_GPUS.visits) ? owner.secondGpu : machine.gpu,
      token: isPrivate ? counter() : token,
      isPrivate,
      session: counter(),
      network: trip?.network ?? networkOf(owner, day),
    };
  }
}

type Neighbour = { machine: Machine; owner: Owner };

/** Days over which copies arrive in a world that is safe until then. */
const COPIES_ARRIVE_DAYS = 10;

const arrivalOf = ({ copiesFromDay, arrivalDays }: World, isCopy: boolean, random: Random): number =>
  isCopy && copiesFromDay !== undefined
    ? copiesFromDay + random.next() * COPIES_ARRIVE_DAYS
    : random.next() * arrivalDays;

function settle(
  { machine, isCopy }: { machine: Machine; isCopy: boolean },
  { world, random, rate, hasServerCookie = false }: StreamOptions,
  counter: Counter,
  before: Neighbour | undefined,
  joinsHome: boolean,
): Owner {
  const isLaptop = !machine.isMobile && random.chance(0.6);
  const worksInOffice = !machine.isMobile && random.chance(NETWORKS.office.devices);
  const docks = isLaptop && random.chance(DOCKING.devices);
  const ownNetwork =
    world.carrierAddresses === undefined ? `home-${counter()}` : `carrier-home-${random.below(world.carrierAddresses)}`;
  const office = worksInOffice ? `office-${random.below(NETWORKS.office.offices)}` : undefined;
  return {
    machine,
    random,
    rate,
    homeNetwork: joinsHome && before !== undefined ? before.owner.homeNetwork : ownNetwork,
    office: isCopy ? (before?.owner.office ?? office) : office,
    carrier: random.below(NETWORKS.carrier.carriers),
    usesPrivateWindows: random.chance(world.privatePeople),
    dock: docks ? DESKTOP_DOCKS[random.below(DESKTOP_DOCKS.length)] : undefined,
    secondGpu: isLaptop && random.chance(TWO_GPUS.devices) ? `${machine.gpu} (second)` : undefined,
    delayDays: random.exponential(RELEASES.meanDelayDays),
    officeVisits: NETWORKS.office.visits,
    officeUntilDay: STREAM_DAYS,
    meanVisits: world.meanVisits ?? MEAN_VISITS,
    cleared: world.cleared,
    safariStorageDays: hasServerCookie ? COOKIE_DAYS : SAFARI_STORAGE_DAYS,
    fromDay: arrivalOf(world, isCopy, random),
    untilDay: STREAM_DAYS,
  };
}

type StreamOptions = {
  devices: number;
  rate: number;
  /** Whether a proxy of the site keeps the tokens in a server-set cookie. */
  hasServerCookie?: boolean;
  random: Random;
  draw: (random: Random, world: World) => Machine;
  world: World;
};

/** The one phone model that a whole crowd has, with each owner's language and time zone. */
const ofTheModel = (model: Machine, { language, timeZone }: Machine): Machine => ({
  ...structuredClone(model),
  language,
  timeZone,
});

/** Assigns a device to its organisation: a copy of the first one, behind the same IP address. */
function enlist(
  owner: Owner,
  first: Owner,
  index: number,
  { size, inside, renewedOnDay, turnDays }: NonNullable<World["fleet"]>,
) {
  owner.office = `organisation-${Math.floor(index / size)}`;
  owner.officeVisits = inside;
  if (owner !== first && owner.office === first.office) owner.delayDays = first.delayDays;
  if (turnDays !== undefined) {
    // Turns end on different days in different offices.
    owner.officeUntilDay = (index % size) * turnDays + ((Math.floor(index / size) * 7) % turnDays);
    owner.fromDay = Math.max(0, owner.officeUntilDay - turnDays);
  }
  if (renewedOnDay === undefined) return;
  if (Math.floor(index / size) % 2 === 0) owner.untilDay = renewedOnDay;
  else {
    owner.fromDay = renewedOnDay;
    owner.office = `organisation-${Math.floor(index / size) - 1}`;
  }
}

function populate({ world, ...options }: StreamOptions, counter: Counter): StreamVisit[] {
  const { devices, random, draw } = options;
  const visits: StreamVisit[] = [];
  let before: Neighbour | undefined;
  let model: Machine | undefined;
  let first: Neighbour | undefined;
  for (let device = 0; device < devices; device += 1) {
    const joinsHome = random.chance(world.sharedHomes);
    const isCopy =
      before !== undefined &&
      ((!before.machine.isMobile && random.chance(world.copies)) || (joinsHome && random.chance(world.homeTwins)));
    const fleet = device >= devices * (1 - (world.fleet?.share ?? 1)) ? world.fleet : undefined;
    const inFleet = fleet !== undefined && device % fleet.size !== 0;
    const template = inFleet ? first : isCopy ? before : undefined;
    let machine = template === undefined ? draw(random, world) : structuredClone(template.machine);
    if (machine.system === "android" && random.chance(world.oneModel))
      machine = ofTheModel((model ??= machine), machine);
    const pristine = structuredClone(machine);
    const owner = settle({ machine, isCopy }, { ...options, world }, counter, before, joinsHome);
    if (world.residents !== undefined) owner.homeNetwork = `dormitory-${Math.floor(device / world.residents)}`;
    before = { machine: pristine, owner };
    if (!inFleet) first = before;
    if (fleet !== undefined && first !== undefined) enlist(owner, first.owner, device, fleet);
    visits.push(...visitsOf(device, owner, counter));
  }
  return visits;
}

/** The visits of a population in chronological order. */
export function makeStream(options: StreamOptions): StreamVisit[] {
  let last = 0;
  const counter = () => (last += 1);
  const { devices, world } = options;
  const { parts = [world] } = world;
  const visits = parts.flatMap((part, index) =>
    populate({ ...options, devices: Math.floor(devices / parts.length), world: part }, counter).map((visit) => ({
      ...visit,
      device: visit.device + index * devices,
      network: parts.length === 1 ? visit.network : `${index}/${visit.network}`,
    })),
  );
  return visits.sort((one, other) => one.day - other.day);
}
