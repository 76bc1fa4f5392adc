/** A visit of a stream with the id that a linker assigned. */
export type Linked = { device: number; system: string; id: number; isFirst: boolean; hasKnownToken: boolean };

/** A proportion with its 95 % interval. */
export type Share = { value: number; low: number; high: number };

export type Figures = {
  pairPrecision: Share;
  pairRecall: Share;
  bCubedPrecision: number;
  bCubedRecall: number;
  idsPerDevice: number;
  /** Share of ids that contain more than one device. */
  mergedIds: number;
  /** Share of devices whose first visit was assigned an existing id. */
  newWronglyLinked: Share;
  newWronglyLinkedBySystem: Record<string, { wrong: number; devices: number }>;
  /** Share of returning visits without a known token that got an id of their own device. */
  recovered: Share;
  tokenless: number;
};

const pairs = (count: number) => (count * (count - 1)) / 2;

function countBy<Key>(keys: Iterable<Key>): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const sumOf = <T>(values: Iterable<T>, of: (value: T) => number) =>
  [...values].reduce((sum, value) => sum + of(value), 0);

const Z_95 = 1.96;

/** Wilson score interval of `count` out of `of`. */
function proportion(count: number, of: number): Share {
  if (of === 0) return { value: 0, low: 0, high: 1 };
  const value = count / of;
  const z2 = Z_95 ** 2;
  const middle = (value + z2 / (2 * of)) / (1 + z2 / of);
  const spread = (Z_95 / (1 + z2 / of)) * Math.sqrt((value * (1 - value)) / of + z2 / (4 * of ** 2));
  return { value, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}

/**
 * Ratio of sums over clusters, with the interval of a ratio estimator: pairs within one cluster are not independent.
 */
function ratio(clusters: readonly { part: number; whole: number }[]): Share {
  const whole = sumOf(clusters, (cluster) => cluster.whole) || 1;
  const value = sumOf(clusters, ({ part }) => part) / whole;
  const error = Math.sqrt(sumOf(clusters, (cluster) => (cluster.part - value * cluster.whole) ** 2)) / whole;
  return { value, low: Math.max(0, value - Z_95 * error), high: Math.min(1, value + Z_95 * error) };
}

/**
 * Pairs of visits of one device within one id, summed by the group that `of` returns; `cells` counts visits by
 * "device/id".
 */
function togetherBy(cells: ReadonlyMap<string, number>, of: (device: number, id: number) => number) {
  const sums = new Map<number, number>();
  for (const [cell, count] of cells) {
    const [device = 0, id = 0] = cell.split("/").map(Number);
    const key = of(device, id);
    sums.set(key, (sums.get(key) ?? 0) + pairs(count));
  }
  return sums;
}

const clusters = (sizes: ReadonlyMap<number, number>, parts: ReadonlyMap<number, number>) =>
  [...sizes].map(([key, size]) => ({ part: parts.get(key) ?? 0, whole: pairs(size) }));

/** The usual measures of a clustering against the ground truth. */
export function measure(visits: readonly Linked[]): Figures {
  const byDevice = countBy(visits.map(({ device }) => device));
  const byId = countBy(visits.map(({ id }) => id));
  const cells = countBy(visits.map(({ device, id }) => `${device}/${id}`));
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
    pairPrecision: ratio(
      clusters(
        byId,
        togetherBy(cells, (_, id) => id),
      ),
    ),
    pairRecall: ratio(
      clusters(
        byDevice,
        togetherBy(cells, (device) => device),
      ),
    ),
    bCubedPrecision: bCubed((_, id) => byId.get(id) ?? 1),
    bCubedRecall: bCubed((device) => byDevice.get(device) ?? 1),
    idsPerDevice: cells.size / byDevice.size,
    mergedIds: [...devicesOfId.values()].filter(({ size }) => size > 1).length / devicesOfId.size,
    newWronglyLinked: proportion(
      sumOf(rows, ({ wrong }) => wrong),
      sumOf(rows, ({ devices }) => devices),
    ),
    newWronglyLinkedBySystem: bySystem,
    recovered: proportion(recovered, tokenless),
    tokenless,
  };
}
