import type { Signals, Timings } from "@/lib/contract/signals";
import { deriveKey, hmac } from "@/lib/platform/secrets";
import { describeDurations } from "./domain/durations";
import type { Payload } from "./domain/payload";
import { sketchOf } from "./domain/sketch";

/**
 * Groups that equal machines share, and in which two visits of one browser are equal. Excludes screen, fonts and
 * pictures, which a replay would alter first, and anything that depends on the challenge.
 */
const KIND_GROUPS = ["navigator", "uaData", "engine", "features", "timezone", "locale", "webgl"] as const;

type Sent = {
  workspaceId: string;
  signals: Signals;
  timings: Timings;
  tokenId: string | undefined;
  /** Network prefix of the address; empty if unknown. */
  network: string;
  /** What `pictureOf` returns. */
  picture: string;
};

const digestOf = (workspaceId: string, what: string, text: string): string =>
  hmac(deriveKey(`payloads ${workspaceId}`), `${what}\n${text}`)
    .readBigInt64BE()
    .toString();

/** The digest under which a network is stored. */
export const networkName = (workspaceId: string, network: string): string => digestOf(workspaceId, "network", network);

export function describePayload({ workspaceId, signals, timings, tokenId, network, picture }: Sent): Payload {
  const digest = (what: string, text: string) => digestOf(workspaceId, what, text);
  const digestIfAny = (what: string, text: string | undefined) => (text ? digest(what, text) : null);
  const durations = describeDurations(timings);
  const sketch = durations.run === undefined ? undefined : sketchOf(timings);
  return {
    durations,
    digests: {
      kind: digest("kind", JSON.stringify(KIND_GROUPS.map((group) => signals[group] ?? null))),
      durations: digestIfAny("durations", durations.groups),
      allDurations: sketch?.toString() ?? digestIfAny("all durations", durations.run),
      token: digestIfAny("token", tokenId),
      network: networkName(workspaceId, network),
      picture: digestIfAny("picture", picture),
    },
  };
}
