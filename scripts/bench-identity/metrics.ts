/** One visit of a stream after a linker gave it an id. */
export type Linked = { device: number; system: string; id: number; isFirst: boolean; hasKnownToken: boolean };

export type Figures = {
  pairPrecision: number;
  pairRecall: number;
  bCubedPrecision: number;
  bCubedRecall: number;
  idsPerDevice: number;
  /** Share of ids that hold more than one device. */
  mergedIds: number;
  /** Share of devices whose first visit went to an id that was there already. */
  newWronglyLinked: number;
  newWronglyLinkedBySystem: Record<string, { wrong: number; devices: number }>;
  /** Of the visits that came back without a known token, the share that got an id of their own device. */
  recovered: number;
  tokenless: number;
};

const pairs = (count: number) => (count * (count - 1)) / 2;

function countBy<Key>(keys: Iterable<Key>): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const sumOf = (values: Iterable<number>, of: (value: number) => number) =>
  [...values].reduce((sum, value) => sum + of(value), 0);

/** The usual measures of a clustering against the truth. */
export function measure(visits: readonly Linked[]): Figures {
  const byDevice = countBy(visits.map(({ device }) => device));
  const byId = countBy(visits.map(({ id }) => id));
  const cells = countBy(visits.map(({ device, id }) => `${device}/${id}`));
  const together = sumOf(cells.values(), pairs);
  const devicesOfId = new Map<number, Set<number>>();
  const ownIds = new Map<number, Set<number>>();
  const bySystem: Figures["newWronglyLinkedBySystem"] = {};
  let recovered = 0;
  let tokenless = 0;
  for (const { device, system, id, isFirst, hasKnownToken } of visits) {
    const others = devicesOfId.get(id) ?? new Set();
    const own = ownIds.get(device) ?? new Set();
    if (isFirst) {
      const row = (bySystem[system] ??= { wrong: 0, devices: 0 });
      row.devices += 1;
      if (others.size > 0) row.wrong += 1;
    } else if (!hasKnownToken) {
      tokenless += 1;
      if (own.has(id)) recovered += 1;
    }
    devicesOfId.set(id, others.add(device));
    ownIds.set(device, own.add(id));
  }
  const rows = Object.values(bySystem);
  const bCubed = (whole: (device: number, id: number) => number) =>
    [...cells].reduce((sum, [cell, count]) => {
      const [device = 0, id = 0] = cell.split("/").map(Number);
      return sum + (count * count) / whole(device, id);
    }, 0) / visits.length;
  return {
    pairPrecision: together / (sumOf(byId.values(), pairs) || 1),
    pairRecall: together / (sumOf(byDevice.values(), pairs) || 1),
    bCubedPrecision: bCubed((_, id) => byId.get(id) ?? 1),
    bCubedRecall: bCubed((device) => byDevice.get(device) ?? 1),
    idsPerDevice: cells.size / byDevice.size,
    mergedIds: [...devicesOfId.values()].filter(({ size }) => size > 1).length / devicesOfId.size,
    newWronglyLinked:
      sumOf(
        rows.map(({ wrong }) => wrong),
        Number,
      ) /
      (sumOf(
        rows.map(({ devices }) => devices),
        Number,
      ) || 1),
    newWronglyLinkedBySystem: bySystem,
    recovered: recovered / (tokenless || 1),
    tokenless,
  };
}
