import type { PrivacyProfile } from "./profile";
import type { Compared } from "./rule";
import { groupValue, type Visit } from "./visit";

const list = (values: readonly string[] | undefined) => values?.join(", ");

type Fact = readonly [label: string, page: string | number | undefined, other: string | number | undefined];

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
  return others.flatMap(({ realm, values }) => {
    const hardware: Fact[] = [
      ["Processor cores", page?.hardwareConcurrency, values?.hardwareConcurrency],
      ["Memory", page?.deviceMemory, values?.deviceMemory],
    ];
    const facts: Fact[] = [
      ...(profile === "brave" ? [] : hardware),
      ["Languages", list(page?.languages), list(values?.languages)],
      ["Minutes west of Greenwich", offset, values?.timezoneOffset],
    ];
    return facts.flatMap(([label, here, there]) =>
      here === undefined || there === undefined || here === there
        ? []
        : [
            { label: `${label}, page`, value: String(here), isOdd: false },
            { label: `${label}, ${realm}`, value: String(there), isOdd: true },
          ],
    );
  });
}
