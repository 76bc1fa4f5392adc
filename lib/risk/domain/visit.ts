import type { Signals } from "@/lib/contract/signals";

/** Header values of the submission request, as they arrived. Unlike the signals, they do not pass through page script. */
export type RequestFacts = {
  userAgent?: string | undefined;
  acceptLanguage?: string | undefined;
  /** `Sec-CH-UA`, `Sec-CH-UA-Mobile` and `Sec-CH-UA-Platform`. */
  clientHints: { brands?: string | undefined; mobile?: string | undefined; platform?: string | undefined };
};

export type Visit = { signals: Signals; request: RequestFacts };

type Group<Name extends keyof Signals> = Extract<Signals[Name], { state: "ok" }>["value"];

/** The value of a group that was read, or undefined: a rule never needs to know why there is none. */
export function groupValue<Name extends keyof Signals>(signals: Signals, name: Name): Group<Name> | undefined {
  const group: Signals[Name] = signals[name];
  return group?.state === "ok" ? group.value : undefined;
}
