import type { PrivacyProfile } from "./profile";
import type { Compared } from "./evidence";
import { groupValue, type Visit } from "./visit";

const list = (values: readonly string[] | undefined) => values?.join(", ");

type Stated = string | number | undefined;

const differing = (realm: string, label: string, page: Stated, other: Stated): Compared[] =>
  page === undefined || other === undefined || page === other
    ? []
    : [
        { label: `${label}, page`, value: String(page), isOdd: false },
        { label: `${label}, ${realm}`, value: String(other), isOdd: true },
      ];

/**
 * Hardware and locale facts in which the page differs from its worker or frame. Brave randomizes hardware per realm.
 */
export function realmDifferences({ signals }: Visit, profile: PrivacyProfile): Compared[] {
  const page = groupValue(signals, "navigator");
  const offset = groupValue(signals, "timezone")?.now;
  const others = [
    { realm: "worker", values: groupValue(signals, "worker") },
    { realm: "frame", values: groupValue(signals, "iframe") },
  ];
  const languages = list(page?.languages);
  return others.flatMap(({ realm, values }) => [
    ...(profile === "brave"
      ? []
      : [
          ...differing(realm, "Processor cores", page?.hardwareConcurrency, values?.hardwareConcurrency),
          ...differing(realm, "Memory", page?.deviceMemory, values?.deviceMemory),
        ]),
    ...differing(realm, "Languages", languages, list(values?.languages)),
    ...differing(realm, "Minutes west of Greenwich", offset, values?.timezoneOffset),
  ]);
}
