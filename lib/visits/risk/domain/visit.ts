import type { Signals } from "@/lib/contract/signals";

/** Header values of the submission request, as they arrived. Unlike the signals, they do not pass through page script. */
export type RequestFacts = {
  userAgent?: string | undefined;
  acceptLanguage?: string | undefined;
  /** `Sec-CH-UA`, `Sec-CH-UA-Mobile` and `Sec-CH-UA-Platform`. */
  clientHints: { brands?: string | undefined; mobile?: string | undefined; platform?: string | undefined };
  accept?: string | undefined;
  via?: string | undefined;
  /** `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`. */
  fetchMetadata?: { site?: string | undefined; mode?: string | undefined; dest?: string | undefined };
  /** Sent over https or to the browser's own machine: headers that browsers keep from plain http are due. */
  isToTrustedAddress?: boolean | undefined;
  /** Names of all headers, lower case, in the order of arrival. Without them nothing is known of what is missing. */
  headerNames?: readonly string[] | undefined;
};

/** `now` is when the service received the visit; rules that need a date leave a visit without it alone. */
export type Visit = { signals: Signals; request: RequestFacts; now?: Date };

type Group<Name extends keyof Signals> = Extract<Signals[Name], { state: "ok" }>["value"];

/** The value of a group that was read, or undefined: a rule never needs to know why there is none. */
export function groupValue<Name extends keyof Signals>(signals: Signals, name: Name): Group<Name> | undefined {
  const group: Signals[Name] = signals[name];
  return group?.state === "ok" ? group.value : undefined;
}
