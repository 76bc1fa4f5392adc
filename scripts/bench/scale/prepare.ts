import { connect } from "@/db/client";
import { sessionOptions } from "@/db/session-settings";
import { createKey } from "@/lib/tenancy/api-keys";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { createWorkspace, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { type Random, seededRandom } from "../../common/random";
import { reportRequest, submissionRequest } from "../http/requests";
import { type MakeSubmission, sendSubmission, submissionMaker } from "../submissions/submissions";
import { drawSample } from "../match/sample";
import { inParallel, integers } from "../../common/in-parallel";

const PLAN = "enterprise";
const ORIGIN = "https://bench.example";
/** Each key is used at half its limit. */
const RATE_OF_KEY = PLAN_LIMITS[PLAN].requestsPerSecond / 2;
const HOT_SHARE = 0.8;
const PARALLEL = 8;

export const SPREADS = ["even", "hot"] as const;
export type Spread = (typeof SPREADS)[number];

/** A workspace with its keys, a maker of its submissions, and imprints whose Reports were read. */
type Place = {
  workspaceId: string;
  keys: string[];
  make: MakeSubmission;
  read: string[];
};
/** `mostRate`: requests per second for which one workspace gets keys. */
type Options = { url: string; workspaces: number; mostRate: number; seed: number };

type Connection = ReturnType<typeof connect>;
type Made = { workspaces: number; keys: number; random: Random };

async function makePlaces({ db }: Connection, { workspaces, keys, random }: Made): Promise<Place[]> {
  const context = { db, now: new Date(), actor: { kind: "operator" } as const };
  const sample = drawSample(random);
  const places: Place[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    const { workspaceId } = await createWorkspace(context, { name: `Scale ${index}`, plan: PLAN });
    const { environmentId } = await createWebApp(context, { workspaceId, name: "Scale", origins: [ORIGIN] });
    const own: string[] = [];
    for (let key = 0; key < keys; key += 1)
      own.push((await createKey(context, { workspaceId, name: `Load ${key}` })).apiKey);
    const make = submissionMaker({ workspaceId, environmentId, origin: ORIGIN }, sample, random);
    places.push({ workspaceId, keys: own, make, read: [] });
  }
  return places;
}

/** Makes visits through the service at `address`, `PARALLEL` at a time; returns each with its workspace. */
const makeVisits = (address: string, count: number, draw: () => Place): Promise<[Place, string][]> =>
  inParallel(PARALLEL, integers(count), async () => {
    const place = draw();
    const response = await sendSubmission(address, place.make());
    if (response.status !== 201) throw new Error(`A visit returned ${response.status}: ${await response.text()}`);
    return [place, ((await response.json()) as { imprint: string }).imprint]; // the operation's answer
  });

/** Creates workspaces in a database, and prepares requests about them in wire format. */
export async function openPlaces({ url, workspaces, mostRate, seed }: Options) {
  publishSecrets(TEST_SECRETS);
  const connection = connect({ url, poolSize: 2, ...(await sessionOptions(url)), applicationName: "imprint-bench" });
  const random = seededRandom(seed);
  const places = await makePlaces(connection, { workspaces, keys: Math.ceil(mostRate / RATE_OF_KEY), random });
  const draw = (spread: Spread): Place => {
    const index = spread === "hot" && random.chance(HOT_SHARE) ? 0 : random.below(places.length);
    const place = places[index];
    if (!place) throw new Error("there is no workspace");
    return place;
  };
  const keyOf = ({ keys: own }: Place, index: number, rate: number) =>
    own[index % Math.min(own.length, Math.max(1, Math.ceil(rate / RATE_OF_KEY)))] ?? "";

  return {
    url,
    connection,
    /** Stores visits, then reads each of their Reports once. */
    async fill(address: string, count: number): Promise<void> {
      for (const [index, [place, imprint]] of (await makeVisits(address, count, () => draw("even"))).entries()) {
        if (place.read.length >= 200) continue;
        const key = keyOf(place, index, Number.POSITIVE_INFINITY);
        const path = `${address}/api/v1/fingerprint/report/${imprint}`;
        const { status } = await fetch(path, { headers: { "x-api-key": key } });
        if (status !== 200) throw new Error(`Reading a Report returned ${status}.`);
        place.read.push(imprint);
      }
    },
    submissions: (count: number, spread: Spread): string[] =>
      Array.from({ length: count }, () => submissionRequest(draw(spread).make())),
    rereads: (count: number, rate: number, spread: Spread): string[] =>
      Array.from({ length: count }, (_, index) => {
        const place = draw(spread);
        return reportRequest(place.read[index % place.read.length] ?? "", keyOf(place, index, rate));
      }),
    deliveries: async (address: string, count: number, rate: number, spread: Spread): Promise<string[]> =>
      (await makeVisits(address, count, () => draw(spread))).map(([place, imprint], index) =>
        reportRequest(imprint, keyOf(place, index, rate)),
      ),
  };
}
