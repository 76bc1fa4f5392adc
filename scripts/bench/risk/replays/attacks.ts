/** Captured visits sent again by a program that is no browser. */
import { altered, createChance, onOtherHardware, shortened } from "./alter.mjs";

const FIREFOX_NAME = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";
const CHROME_NAME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** Headers that the attacker's program makes itself, and those that belong to one connection. */
const OWN = /^(?:host|connection|content-length|x-forwarded-.*)$/;
const asBrowser = ({ headers }) => Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name)));
const originOf = ({ headers }) => ({ origin: headers.origin });
const asNode = (capture) => ({
  ...originOf(capture),
  "content-type": "text/plain;charset=UTF-8",
  accept: "*/*",
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "user-agent": "node",
  "accept-encoding": "gzip, deflate",
});
const asCurl = (capture) => ({ "user-agent": "curl/8.5.0", accept: "*/*", ...originOf(capture) });
const nameOf = ({ headers }) => headers["user-agent"];
const isFirefox = (capture) => nameOf(capture).includes("Firefox/");

/**
 * @typedef {{ submission: object, headers: Record<string, string>, address: string, token?: string }} Attempt
 * @typedef {{ id: string, title: string, count: number, passMax: number, prepare: (capture: object, chance: object, index: number) => Partial<Attempt> }} Attack
 */

const plain = (capture) => ({ submission: capture.submission, headers: asBrowser(capture) });

/** `passMax` is how many may pass. @type {Attack[]} */
export const ATTACKS = [
  {
    id: "replay-homes",
    title: "a captured visit sent again from as many homes",
    count: 200,
    passMax: 0,
    prepare: plain,
  },
  {
    id: "replay-altered",
    title: "the same, with screen, canvas, fonts and timings altered at random",
    count: 200,
    passMax: 20,
    prepare: (capture, chance) => ({ ...plain(capture), submission: altered(capture.submission, chance) }),
  },
  {
    id: "replay-node",
    title: "with the headers of node",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: asNode(capture) }),
  },
  {
    id: "replay-node-named",
    title: "with the headers of node and the browser's name",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: { ...asNode(capture), "user-agent": nameOf(capture) } }),
  },
  {
    id: "replay-curl",
    title: "with the headers of curl",
    count: 50,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), headers: asCurl(capture) }),
  },
  {
    id: "replay-bare",
    title: "with no header but Origin",
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
    title: "with the browser's headers and another browser's name",
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
    title: "one token and visit from as many homes within seconds",
    count: 100,
    passMax: 0,
    prepare: (capture) => ({ ...plain(capture), token: capture.token }),
  },
  {
    id: "token-hardware",
    title: "a stolen token on a machine with other hardware",
    count: 20,
    passMax: 0,
    prepare: (capture, chance) => ({
      ...plain(capture),
      submission: onOtherHardware(capture.submission, chance),
      token: capture.token,
    }),
  },
];

/** Homes of one provider of the country whose clock the captured browsers show. */
const homeOf = (chance) => `87.${128 + chance.below(40)}.${chance.below(256)}.${1 + chance.below(254)}`;

/** The attempts of an attack: by turns with what each captured browser sent, each from a home of its own. */
export function attemptsOf(attack, captures, seed) {
  const chance = createChance(seed);
  return Array.from({ length: attack.count }, (_none, index) => ({
    address: homeOf(chance),
    ...attack.prepare(captures[index % captures.length], chance, index),
  }));
}
