import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

import { runCommand } from "../common/command";

/** Latitude range of the map; nobody visits from the ice beyond. */
const NORTH = 84;
const SOUTH = -58;
const WIDTH = 720;
/** Coordinates in the file are integers in tenths of a unit. */
const PER_UNIT = 10;
const HEIGHT = (WIDTH * (NORTH - SOUTH)) / 360;
const ZONE_TABLE = "/usr/share/zoneinfo/zone.tab";

type Pair = [number, number];
/**
 * Arcs by index; the complement of an index means the reversed arc. Source: the TopoJSON specification, section 2.1.4.
 */
type Ring = number[];
type Topology = {
  arcs: Pair[][];
  transform: { scale: Pair; translate: Pair };
  objects: { land: { geometries: ({ type: "Polygon"; arcs: Ring[] } | { type: "MultiPolygon"; arcs: Ring[][] })[] } };
};

const atlas = JSON.parse(readFileSync("node_modules/world-atlas/land-110m.json", "utf8")) as Topology; // safe: pinned

/** Arcs of the topology as longitudes and latitudes. Source: the TopoJSON specification, section 2.1.3. */
const arcs = atlas.arcs.map((arc) => {
  let [x, y] = [0, 0];
  const { scale, translate } = atlas.transform;
  return arc.map(([dx, dy]): Pair => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});

const arcOf = (index: number): Pair[] => (index >= 0 ? (arcs[index] ?? []) : (arcs[~index] ?? []).toReversed());
const ringOf = (indexes: Ring): Pair[] => indexes.flatMap((index, at) => arcOf(index).slice(at === 0 ? 0 : 1));

/** A ring that crosses the date line continues beyond it, and is drawn again on the other side. */
function unrolled(ring: Pair[]): Pair[][] {
  let turns = 0;
  const points = ring.map(([longitude, latitude], index): Pair => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [longitude + turns * 360, latitude];
  });
  const shifted = (degrees: number) => points.map(([longitude, latitude]): Pair => [longitude + degrees, latitude]);
  const longitudes = points.map(([longitude]) => longitude);
  return [
    points,
    ...(Math.max(...longitudes) > 180 ? [shifted(-360)] : []),
    ...(Math.min(...longitudes) < -180 ? [shifted(360)] : []),
  ];
}

const project = ([longitude, latitude]: Pair): Pair => [
  ((longitude + 180) / 360) * WIDTH,
  ((NORTH - Math.min(NORTH, Math.max(SOUTH, latitude))) / (NORTH - SOUTH)) * HEIGHT,
];

/** A ring in tenths of a unit: its first point, then relative steps, which are much shorter. */
function ringText(ring: Pair[]): string {
  const points = ring.map((point) => project(point).map((value) => Math.round(value * PER_UNIT)));
  const steps = points.slice(1).flatMap(([x = 0, y = 0], index) => {
    const [beforeX = 0, beforeY = 0] = points[index] ?? [];
    return x === beforeX && y === beforeY ? [] : [`${x - beforeX} ${y - beforeY}`];
  });
  return `M${(points[0] ?? []).join(" ")}l${steps.join(" ").replaceAll(" -", "-")}z`;
}

function writeMap(): void {
  const path = atlas.objects.land.geometries
    .flatMap((geometry) => (geometry.type === "Polygon" ? geometry.arcs : geometry.arcs.flat()))
    .map(ringOf)
    .filter((ring) => ring.some(([, latitude]) => latitude > SOUTH))
    .flatMap(unrolled)
    .map(ringText)
    .join("");
  mkdirSync("public", { recursive: true });
  writeFileSync(
    "public/world.svg",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * PER_UNIT} ${(HEIGHT * PER_UNIT).toFixed(0)}"><path d="${path}"/></svg>\n`,
  );
}

/** Parses `+5230+01322` or `+404251-0740023`: degrees and minutes, optionally seconds. */
function parseCoordinates(text: string): Pair {
  const [, latitude = "", longitude = ""] = /^([+-]\d{4,6})([+-]\d{5,7})$/.exec(text) ?? [];
  const degrees = (value: string, digits: number) => {
    const parts = [value.slice(1, 1 + digits), value.slice(1 + digits, 3 + digits), value.slice(3 + digits)];
    const [whole = 0, minutes = 0, seconds = 0] = parts.map(Number);
    const size = whole + minutes / 60 + seconds / 3600;
    return Number((value.startsWith("-") ? -size : size).toFixed(2));
  };
  return [degrees(latitude, 2), degrees(longitude, 3)];
}

/**
 * The mean position of a country's zones on the globe, so that zones on both sides of the date line do not average to
 * Africa.
 */
function middleOf(places: readonly Pair[]): number[] {
  let [x, y, z] = [0, 0, 0];
  for (const [latitude = 0, longitude = 0] of places.map((place) =>
    place.map((degrees) => (degrees * Math.PI) / 180),
  )) {
    x += Math.cos(latitude) * Math.cos(longitude);
    y += Math.cos(latitude) * Math.sin(longitude);
    z += Math.sin(latitude);
  }
  const angles = [Math.atan2(z, Math.hypot(x, y)), Math.atan2(y, x)];
  return angles.map((angle) => Number(((angle * 180) / Math.PI).toFixed(2)));
}

function writePlaces(): void {
  const zones: Record<string, Pair> = {};
  const countries: Record<string, Pair[]> = {};
  for (const line of readFileSync(ZONE_TABLE, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [country = "", coordinates = "", zone = ""] = line.split("\t");
    const place = parseCoordinates(coordinates);
    zones[zone] = place;
    (countries[country] ??= []).push(place);
  }
  const middles = Object.fromEntries(Object.entries(countries).map(([code, places]) => [code, middleOf(places)]));
  writeFileSync("components/report/places.json", `${JSON.stringify({ zones, countries: middles })}\n`);
}

await runCommand({
  name: "map:update",
  about:
    "Generates the Console's world map and the location of each time zone's main city on it. Run it after a change of world-atlas or of the machine's time zone database. Sources: Natural Earth through world-atlas, and the IANA time zone database; both in the public domain.",
  options: {},
  run() {
    writeMap();
    writePlaces();
    return 0;
  },
});
