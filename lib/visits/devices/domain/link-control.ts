import { LINK_CONFIDENCE_MIN } from "./match-device";
import { AGE_NAMES, controlOf, CROWD_NAMES, isClosed, MODEL_NAMES, parseStratum, type Tallies } from "./strata";

/** One stratum in words, with its counts. */
type LinkPlace = {
  system: "desktop" | "handheld";
  network: string;
  model: string;
  known: string;
  links: number;
  wrong: number;
  /** Upper bound of the share of new devices that are linked wrongly, at 95 % confidence. */
  bound: number;
  /** Held back because links went wrong there in the last weeks. */
  isAlarmed: boolean;
  /** Held back because second machines appear in the workspace more often than before. */
  areOthersArriving: boolean;
  isOpen: boolean;
};

export type LinkControl = {
  /** Returned new tokens, links that were or would have been made, and links that tokens disproved. */
  returned: number;
  links: number;
  wrong: number;
  places: LinkPlace[];
};

/** Describes where links are made and how reliable they are, with the strata of most links first. */
export function describeControl(tallies: Tallies): LinkControl {
  const entries = Object.entries(tallies);
  const total = (of: "returned" | "links" | "wrong") => entries.reduce((sum, [, tally]) => sum + tally[of], 0);
  const places = entries.flatMap(([name, { links, wrong }]): LinkPlace[] => {
    const stratum = parseStratum(name);
    if (stratum.age === undefined) return [];
    const control = controlOf(stratum, tallies);
    const { bound, isAlarmed, areOthersArriving, odds } = control;
    return [
      {
        system: stratum.system,
        network: CROWD_NAMES[stratum.crowd] ?? "",
        model: MODEL_NAMES[stratum.model] ?? "",
        known: AGE_NAMES[stratum.age] ?? "",
        links,
        wrong,
        bound,
        isAlarmed,
        areOthersArriving,
        isOpen: !isClosed(control) && odds / (1 + odds) >= LINK_CONFIDENCE_MIN,
      },
    ];
  });
  places.sort((one, other) => other.links - one.links);
  return { returned: total("returned"), links: total("links"), wrong: total("wrong"), places };
}
