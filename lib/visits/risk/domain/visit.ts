import type { Signals } from "@/lib/contract/signals";

/** Headers of the submission request as received. Unlike signals, they do not pass through page script. */
export type RequestFacts = {
  userAgent?: string | undefined;
  acceptLanguage?: string | undefined;
  /** `Sec-CH-UA` and the hints named after it. Browsers send the first three, and others if the site delegates them. */
  clientHints: {
    brands?: string | undefined;
    mobile?: string | undefined;
    platform?: string | undefined;
    fullVersionList?: string | undefined;
    platformVersion?: string | undefined;
    architecture?: string | undefined;
    bitness?: string | undefined;
    model?: string | undefined;
  };
  accept?: string | undefined;
  acceptEncoding?: string | undefined;
  /** `Priority`, which browsers send with HTTP/2 and 3; Firefox always. */
  priority?: string | undefined;
  via?: string | undefined;
  /** `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`. */
  fetchMetadata?: { site?: string | undefined; mode?: string | undefined; dest?: string | undefined };
  /** Sent over https or to the local machine, so headers that browsers omit on plain http are expected. */
  isToTrustedAddress?: boolean | undefined;
  /** Names of all headers in lower case, in order of arrival. If undefined, missing headers cannot be detected. */
  headerNames?: readonly string[] | undefined;
};

/** `now` is when the service received the visit. Rules that need a date skip visits without it. */
export type Visit = { signals: Signals; request: RequestFacts; now?: Date };

type Group<Name extends keyof Signals> = Extract<Signals[Name], { state: "ok" }>["value"];

/** The value of a group, or undefined if it was not read. Rules never need to know why. */
export function groupValue<Name extends keyof Signals>(signals: Signals, name: Name): Group<Name> | undefined {
  const group: Signals[Name] = signals[name];
  return group?.state === "ok" ? group.value : undefined;
}
