import places from "./places.json";

/** Latitudes at the edges of `public/world.svg` (equirectangular). */
const NORTH = 84;
const SOUTH = -58;

export type Marked = { countryCode?: string | undefined; timeZone?: string | undefined; count: number };

const zones = new Map(Object.entries(places.zones));
const countries = new Map(Object.entries(places.countries));

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** Position of a dot: the main city of the time zone, or the centre of the country; undefined if neither is known. */
export function pointOf({ countryCode, timeZone }: Omit<Marked, "count">): { left: string; top: string } | undefined {
  const [latitude, longitude] = zones.get(timeZone ?? "") ?? countries.get(countryCode ?? "") ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const clipped = Math.min(NORTH, Math.max(SOUTH, latitude));
  return { left: percent((longitude + 180) / 360), top: percent((NORTH - clipped) / (NORTH - SOUTH)) };
}

/** Radius of a dot by its share of the marks. */
const sizeOf = (count: number, most: number) => 7 + Math.round(9 * Math.sqrt(count / most));

/** A world map with a dot for each place, without a map service. `label` is the text alternative. */
export function WorldMap({ label, marks }: { label: string; marks: readonly Marked[] }) {
  const most = Math.max(1, ...marks.map(({ count }) => count));
  const dots = marks.flatMap((mark) => {
    const point = pointOf(mark);
    return point ? [{ ...point, size: sizeOf(mark.count, most) }] : [];
  });
  return (
    <div role="img" aria-label={label} className="world-map relative aspect-720/284 w-full overflow-hidden">
      {dots.map(({ left, top, size }, index) => (
        <span
          key={index}
          className="mark absolute -translate-x-1/2 -translate-y-1/2 rounded-full border border-surface bg-accent"
          style={{ left, top, width: size, height: size }}
        />
      ))}
    </div>
  );
}
