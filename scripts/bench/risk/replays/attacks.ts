/** Attacks that replay captured visits from a program that is not a browser. */
import { type Random, randomBy, randomOf } from "../../../common/random";
import type { Capture, Submission } from "../capture-proxy";
import { altered, onOtherHardware, retimed, shortened } from "./alter";

const FIREFOX_NAME = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const CHROME_NAME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** Headers that the attacker's program sets itself, and those specific to one connection. */
const OWN = /^(?:host|connection|content-length|x-forwarded-.*)$/;
const asBrowser = ({ headers }: Capture): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name)));
const originOf = ({ headers }: Capture): Headers => ({ origin: headers["origin"] ?? "" });
const asNode = (capture: Capture): Headers => ({
  ...originOf(capture),
  "content-type": "text/plain;charset=UTF-8",
  accept: "*/*",
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "user-agent": "node",
  "accept-encoding": "gzip, deflate",
});
const asCurl = (capture: Capture): Headers => ({ "user-agent": "curl/8.5.0", accept: "*/*", ...originOf(capture) });
const nameOf = ({ headers }: Capture) => headers["user-agent"] ?? "";
const isFirefox = (capture: Capture) => nameOf(capture).includes("Firefox/");

type Headers = Readonly<Record<string, string>>;
/** `token` belongs to another person's device. */
export type Attempt = {
  submission: Submission;
  headers: Headers;
  address: string;
  token?: string | undefined;
  /** Whether the attacker's program computes the answer to each challenge. */
  isAnswered?: boolean;
};
export type Attack = {
  id: string;
  title: string;
  count: number;
  /** Maximum number that may PASS. */
  passMax: number;
  prepare: (capture: Capture, random: Random) => Omit<Attempt, "address">;
};

const plain = (capture: Capture) => ({ submission: capture.submission, headers: asBrowser(capture) });

export const ATTACKS: readonly Attack[] = [
  {
    id: "replay-homes",
    title: "a captured visit replayed, each time from another home",
    count: 200,
    passMax: 0,
    prepare: plain,
  },
  {
    id: "replay-altered",
    title: "the same, with screen, canvas, fonts and timings altered at random",
    count: 200,
    passMax: 20,
    prepare: (capture, random) => ({ ...plain(capture), submission: altered(capture.submission, random) }),
  },
  {
    id: "replay-retimed",
    title: "with only its durations altered by a tenth, and each challenge answered",
    count: 100,
    passMax: 26,
    prepare: (capture, random) => ({
      ...plain(capture),
      submission: retimed(capture.submission, random),
      isAnswered: true,
    }),
  },
  {
    id: "replay-node",
    title: "with node's headers",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: asNode(capture) }),
  },
  {
    id: "replay-node-named",
    title: "with node's headers and the browser's User-Agent",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: { ...asNode(capture), "user-agent": nameOf(capture) } }),
  },
  {
    id: "replay-curl",
    title: "with curl's headers",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: asCurl(capture) }),
  },
  {
    id: "replay-bare",
    title: "with no header except Origin",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: originOf(capture) }),
  },
  {
    id: "replay-nameless",
    title: "with the browser's headers without User-Agent",
    count: 50,
    passMax: 0,
    prepare: (capture) => {
      const { "user-agent": _name, ...headers } = asBrowser(capture);
      return { ...plain(capture), headers };
    },
  },
  {
    id: "replay-foreign",
    title: "with the browser's headers and another browser's User-Agent",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({
      ...plain(capture),
      headers: { ...asBrowser(capture), "user-agent": isFirefox(capture) ? CHROME_NAME : FIREFOX_NAME },
    }),
  },
  {
    id: "replay-omitted",
    title: "with 13 of 17 groups omitted",
    count: 20,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), submission: shortened(capture.submission) }),
  },
  {
    id: "token-homes",
    title: "one token and visit replayed within seconds, each time from another home",
    count: 100,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), token: capture.token }),
  },
  {
    id: "token-hardware",
    title: "a stolen token on a machine with different hardware",
    count: 20,
    passMax: 0,
    prepare: (capture, random) => ({
      ...plain(capture),
      submission: onOtherHardware(capture.submission, random),
      token: capture.token,
    }),
  },
];

/** IP addresses of homes with a provider in the country whose time zone the captured browsers show. */
const homeOf = (random: Random) => `87.${128 + random.below(40)}.${random.below(256)}.${1 + random.below(254)}`;

/** The attempts of an attack: cycles through the captured visits, each attempt from a different home. */
export function attemptsOf(
  { count, prepare }: Pick<Attack, "count" | "prepare">,
  captures: readonly Capture[],
  seed: number,
): Attempt[] {
  const random = randomBy(randomOf(seed));
  const turns = Array.from({ length: Math.ceil(count / captures.length) }, () => captures).flat();
  return turns.slice(0, count).map((capture) => ({ address: homeOf(random), ...prepare(capture, random) }));
}
