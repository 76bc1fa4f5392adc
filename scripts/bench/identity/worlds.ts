import { DESKTOP_SHARE, FLEET_SHARE, IOS_SHARE, NETWORKS, PER_VISIT, PRIVATE_WINDOWS } from "./assumptions";

/** How a world differs from the others. Shares and probabilities are between 0 and 1. */
export type World = {
  /** Description of the devices and their networks, for the printed table. */
  about: string;
  /** Source of its numbers; without one they are this project's own assumption. */
  source?: string;
  desktops: number;
  /** Share of iPhones among phones. */
  iphones: number;
  /** Share of desktops that are exact copies of the previous one, including its office. */
  copies: number;
  /** Share of Android phones that are one model from one carrier's shops. */
  oneModel: number;
  /** Share of devices that join an existing home instead of bringing their own. */
  sharedHomes: number;
  /** Share of devices joining a home that are exact copies of a device already there. */
  homeTwins: number;
  /** Probability that storage was cleared before a visit. */
  cleared: number;
  /** Share of people who use private windows. */
  privatePeople: number;
  /** Days over which devices make their first visit; 0 if all are there from the start. */
  arrivalDays: number;
  /**
   * Identical machines behind one IP address: how many, the share of their visits made there, the share of devices that
   * belong to one (default 1), and after how many days the next machine replaces one, which from then on visits from
   * home.
   */
  fleet?: { size: number; inside: number; renewedOnDay?: number; share?: number; turnDays?: number };
  /** Number of carrier (CGNAT) addresses that all homes share. */
  carrierAddresses?: number;
  /** Number of devices of all kinds that share one address. */
  residents?: number;
  /** Visits of a device over the whole stream, on average. */
  meanVisits?: number;
  /** Day on which copies begin to arrive, over ten days: until then the world is safe. */
  copiesFromDay?: number;
  /** Worlds that share one Workspace, with equal shares of its devices. */
  parts?: readonly World[];
};

const ORDINARY: Omit<World, "about"> = {
  desktops: DESKTOP_SHARE,
  iphones: IOS_SHARE,
  copies: FLEET_SHARE,
  oneModel: 0,
  sharedHomes: NETWORKS.sharedHome,
  homeTwins: 0,
  cleared: PER_VISIT.cleared,
  privatePeople: PRIVATE_WINDOWS.people,
  arrivalDays: 0,
};

const CLEARING = "Li and Cao, IMC 2020: 32 % of browser instances clear their cookies";

const ABRUPT: World = {
  ...ORDINARY,
  about: "homes of which many get a second machine, identical to the first, within ten days after 110 safe ones",
  desktops: 0.8,
  iphones: 0.2,
  sharedHomes: 0.45,
  homeTwins: 0.6,
  copiesFromDay: 110,
};

const STAYS: World = {
  ...ORDINARY,
  about: "hotel rooms: 30 % begin in one of 36, each with a new guest every 5 days who has an identical laptop",
  desktops: 1,
  meanVisits: 60,
  fleet: { size: 30, inside: 0.9, share: 0.3, turnDays: 5 },
};

export const WORLDS = {
  site: { ...ORDINARY, about: "a site with visitors from many countries" },
  growing: { ...ORDINARY, about: "the same site, its visitors arriving over four months", arrivalDays: 120 },
  "copies-5": { ...ORDINARY, about: "5 % of desktops are copies of another in their office", copies: 0.05 },
  "copies-20": { ...ORDINARY, about: "20 % of desktops are copies of another in their office", copies: 0.2 },
  crowd: { ...ORDINARY, about: "Android phones, 30 % of them one model", desktops: 0.2, iphones: 0.2, oneModel: 0.3 },
  country: {
    ...ORDINARY,
    about: "a country with one phone at 25 %, homes behind carrier addresses",
    desktops: 0.25,
    iphones: 0.05,
    oneModel: 0.25,
    carrierAddresses: 40,
    arrivalDays: 60,
  },
  companies: {
    ...ORDINARY,
    about: "companies, fleets of 10 identical machines",
    desktops: 1,
    fleet: { size: 10, inside: 0.9 },
  },
  schools: {
    ...ORDINARY,
    about: "schools and virtual desktops, fleets of 33, 30 % of visits cleared",
    desktops: 1,
    cleared: 0.3,
    fleet: { size: 33, inside: 1 },
  },
  hospital: {
    ...ORDINARY,
    about: "hospital shifts: 60 profiles on identical machines behind one address",
    desktops: 1,
    fleet: { size: 60, inside: 1 },
    arrivalDays: 100,
  },
  "call-centre": {
    ...ORDINARY,
    about: "call centres, 50 identical thin clients, half of the visits cleared",
    desktops: 1,
    cleared: 0.5,
    fleet: { size: 50, inside: 1 },
  },
  "internet-cafe": {
    ...ORDINARY,
    about: "internet cafes, 12 identical machines, storage wiped after nearly every visit",
    desktops: 1,
    cleared: 0.9,
    fleet: { size: 12, inside: 1 },
  },
  renewed: {
    ...ORDINARY,
    about: "fleets of 10, all replaced in one night",
    desktops: 1,
    fleet: { size: 10, inside: 0.9, renewedOnDay: 75 },
  },
  pairs: {
    ...ORDINARY,
    about: "small offices with two identical machines that join one after the other",
    desktops: 1,
    fleet: { size: 2, inside: 0.9 },
    arrivalDays: 120,
  },
  successors: {
    ...ORDINARY,
    about: "half in homes, half in offices for one: someone new with an identical machine every 25 days",
    desktops: 1,
    fleet: { size: 6, inside: 0.9, share: 0.5, turnDays: 25 },
  },
  dormitory: { ...ORDINARY, about: "dormitories, 200 devices of all kinds behind one address", residents: 200 },
  families: {
    ...ORDINARY,
    about: "families whose next device is often the same model",
    desktops: 0.3,
    iphones: 0.2,
    sharedHomes: 0.7,
    homeTwins: 0.25,
    arrivalDays: 120,
  },
  "carrier-nat": { ...ORDINARY, about: "homes behind 60 addresses of carriers", carrierAddresses: 60, arrivalDays: 60 },
  clearing: {
    ...ORDINARY,
    about: "people who clear their storage often",
    source: CLEARING,
    cleared: 0.16,
    privatePeople: 0.5,
  },
  stays: STAYS,
  abrupt: ABRUPT,
  mixture: {
    ...ORDINARY,
    about: "one Workspace for thirds of site, stays and abrupt",
    parts: [{ ...ORDINARY, about: "a site" }, STAYS, ABRUPT],
  },
} satisfies Record<string, World>;

export type WorldName = keyof typeof WORLDS;
