import { join } from "node:path";

import type { Database } from "@/db/client";
import { Report } from "@/lib/contract/report";
import { letEvidenceAge } from "@/test/devices";
import { createSite } from "@/test/visits";
import { readReport } from "../service";
import { type Start, startFirefox, type StartBrowser } from "./browsers";
import type { Card, Visit } from "./pages";
import type { Session } from "./schedule";
import type { Site } from "./identity-site";

/** Device of a visit: that of the workspace's first visit, that of a later one, or a new one. */
type Verdict = "same" | "a third" | "new";
type Options = Omit<Visit, "environmentId" | "card"> & { card?: Card };

export type World = { db: Database; site: Site };

/** Result of each visit, by row name. */
export type Observed = Map<string, unknown>;

/** Creates a workspace that reports how its visits were recognised. */
async function openWorkspace({ db, site }: World, card: Card) {
  const { environmentId, apiKey, workspaceId } = await createSite(db, { origins: [site.origin] });
  const seen: string[] = [];
  const deviceOf = async (imprint: string) =>
    Report.parse(await (await readReport(site.origin, apiKey, imprint)).json()).device.id;
  return {
    async visit(session: Session, options: Options = {}): Promise<Verdict> {
      const deviceId = await deviceOf(await session.visit({ environmentId, card, ...options }));
      const isKnown = seen.includes(deviceId);
      seen.push(deviceId);
      return isKnown ? (deviceId === seen[0] ? "same" : "a third") : "new";
    },
    async tabs(session: Session, options: Options = {}): Promise<string> {
      const imprints = await session.tabs({ environmentId, card, ...options }, 2);
      const devices = new Set(await Promise.all(imprints.map(deviceOf)));
      return devices.size === 1 ? "one device" : "two devices";
    },
    learn: () => letEvidenceAge(db, workspaceId),
  };
}

/** Two identical visitors in two workspaces: one with a rare graphics card, the other without a graphics card. */
async function openPair(world: World) {
  const [rare, plain] = await Promise.all([openWorkspace(world, "rare"), openWorkspace(world, "none")]);
  return {
    visit: async (session: Session, options?: Options) => [
      await rare.visit(session, options),
      await plain.visit(session, options),
    ],
    tabs: async (session: Session, options?: Options) => [
      await rare.tabs(session, options),
      await plain.tabs(session, options),
    ],
    /** Simulates four weeks in which links prove right. */
    learn: () => Promise.all([rare.learn(), plain.learn()]),
  };
}

const DESK = { width: 1930, height: 1090 };
const DOCK = { width: 3440, height: 1440 };

type Place = Omit<Start, "screen"> & Partial<Pick<Start, "screen">>;

/** Runs a browser from its start until it has exited by itself and written its profile. */
async function running<T>(
  { site }: World,
  start: StartBrowser,
  { profile, ...place }: Place,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = site.openSession();
  const browser = await start(session.url, { screen: DESK, ...place, profile: join(site.folder, profile) });
  try {
    const result = await work(session);
    session.leave();
    await browser.ended();
    return result;
  } catch (error) {
    throw new Error(`${profile}: ${String(error)}\n${browser.output()}`, { cause: error });
  } finally {
    await browser.stop();
  }
}

/** The sequence of actions of a browser's owner. */
export async function live(world: World, name: string, start: StartBrowser): Promise<Observed> {
  const [pair, sharing, hiding] = await Promise.all([openPair(world), openPair(world), openPair(world)]);
  const seen: Observed = new Map();
  const profile = `${name}-first`;
  await running(world, start, { profile }, async (session) => {
    seen.set("first visit", await pair.visit(session));
  });
  await pair.learn();
  await running(world, start, { profile, screen: DOCK }, async (session) => {
    // Must come first: later the screen is known to belong to the device.
    seen.set("no storage, another screen", await pair.visit(session, { storage: "none" }));
    seen.set("restart, another screen", await pair.visit(session));
    seen.set("two tabs at once", await sharing.tabs(session));
    seen.set("no storage, two tabs at once", await hiding.tabs(session, { storage: "none" }));
    seen.set("no storage, another graphics card", await pair.visit(session, { card: "other", storage: "none" }));
    seen.set("cleared storage", await pair.visit(session, { isForgotten: true }));
  });
  await running(world, start, { profile, isPrivate: true }, async (session) => {
    seen.set("private window", await pair.visit(session));
  });
  await running(world, start, { profile: `${name}-second` }, async (session) => {
    seen.set("second profile", await pair.visit(session));
    seen.set("second profile, nothing learnt yet", await sharing.visit(session));
  });
  return seen;
}

/**
 * The same for an owner whose Firefox shows everyone the same machine, apart from a graphics card that it does not
 * hide.
 */
export async function liveResisting(world: World): Promise<Observed> {
  const workspace = await openWorkspace(world, "rare");
  const seen: Observed = new Map();
  const start = { profile: "resisting-first", isResisting: true };
  await running(world, startFirefox, start, async (session) => {
    seen.set("first visit", await workspace.visit(session));
  });
  await workspace.learn();
  await running(world, startFirefox, start, async (session) => {
    seen.set("restart", await workspace.visit(session));
    seen.set("cleared storage", await workspace.visit(session, { isForgotten: true }));
  });
  await running(world, startFirefox, { ...start, profile: "resisting-second" }, async (session) => {
    seen.set("second profile", await workspace.visit(session));
  });
  return seen;
}
