/**
 * Writes the world map of the Console, and where the main city of each time zone lies on it:
 * `node scripts/build-map.mjs`, after a change of world-atlas or of the machine's time zone database.
 * Sources: Natural Earth through world-atlas, and the IANA time zone database; both in the public domain.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** The map shows these latitudes; nobody visits from the ice. */
const NORTH = 84;
const SOUTH = -58;
const WIDTH = 720;
const HEIGHT = (WIDTH * (NORTH - SOUTH)) / 360;
const ZONE_TABLE = "/usr/share/zoneinfo/zone.tab";

const atlas = JSON.parse(readFileSync("node_modules/world-atlas/land-110m.json", "utf8"));

/** Arcs of a TopoJSON topology as longitudes and latitudes. Source: the TopoJSON specification, section 2.1.3. */
const arcs = atlas.arcs.map((arc) => {
  let [x, y] = [0, 0];
  const { scale, translate } = atlas.transform;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});

const arcOf = (index) => (index >= 0 ? arcs[index] : arcs[~index].toReversed());
const ringOf = (indexes) => indexes.flatMap((index, at) => arcOf(index).slice(at === 0 ? 0 : 1));

/** A ring that crosses the date line goes on beyond it, and is drawn once more at the other side. */
function unrolled(ring) {
  let turns = 0;
  const points = ring.map(([longitude, latitude], index) => {
    const step = index === 0 ? 0 : longitude - ring[index - 1][0];
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [longitude + turns * 360, latitude];
  });
  const shifted = (degrees) => points.map(([longitude, latitude]) => [longitude + degrees, latitude]);
  const longitudes = points.map(([longitude]) => longitude);
  return [
    points,
    ...(Math.max(...longitudes) > 180 ? [shifted(-360)] : []),
    ...(Math.min(...longitudes) < -180 ? [shifted(360)] : []),
  ];
}

const project = ([longitude, latitude]) => [
  ((longitude + 180) / 360) * WIDTH,
  ((NORTH - Math.min(NORTH, Math.max(SOUTH, latitude))) / (NORTH - SOUTH)) * HEIGHT,
];

const polygons = atlas.objects.land.geometries.flatMap(({ type, arcs: parts }) =>
  type === "Polygon" ? [parts] : parts,
);
const path = polygons
  .flat()
  .map(ringOf)
  .filter((ring) => ring.some(([, latitude]) => latitude > SOUTH))
  .flatMap(unrolled)
  .map(
    (ring) =>
      `M${ring
        .map((point) =>
          project(point)
            .map((value) => value.toFixed(1))
            .join(" "),
        )
        .join("L")}Z`,
  )
  .join("");
mkdirSync("public", { recursive: true });
writeFileSync(
  "public/world.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT.toFixed(0)}"><path d="${path}"/></svg>\n`,
);

/** `+5230+01322` or `+404251-0740023`: degrees and minutes, maybe seconds. */
function parseCoordinates(text) {
  const [, latitude, longitude] = /^([+-]\d{4,6})([+-]\d{5,7})$/.exec(text);
  const degrees = (value, digits) => {
    const parts = value.slice(1);
    const [whole, minutes, seconds] = [
      parts.slice(0, digits),
      parts.slice(digits, digits + 2),
      parts.slice(digits + 2),
    ];
    const size = Number(whole) + Number(minutes) / 60 + Number(seconds || 0) / 3600;
    return Number((value[0] === "-" ? -size : size).toFixed(2));
  };
  return [degrees(latitude, 2), degrees(longitude, 3)];
}

const zones = {};
const countries = {};
for (const line of readFileSync(ZONE_TABLE, "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [country, coordinates, zone] = line.split("\t");
  zones[zone] = parseCoordinates(coordinates);
  (countries[country] ??= []).push(zones[zone]);
}

/** The middle of a country's zones on the globe, so that zones on both sides of the date line do not meet in Africa. */
function middleOf(places) {
  const sum = [0, 0, 0];
  for (const [latitude, longitude] of places.map((place) => place.map((degrees) => (degrees * Math.PI) / 180))) {
    sum[0] += Math.cos(latitude) * Math.cos(longitude);
    sum[1] += Math.cos(latitude) * Math.sin(longitude);
    sum[2] += Math.sin(latitude);
  }
  const [latitude, longitude] = [Math.atan2(sum[2], Math.hypot(sum[0], sum[1])), Math.atan2(sum[1], sum[0])];
  return [latitude, longitude].map((angle) => Number(((angle * 180) / Math.PI).toFixed(2)));
}

const middles = Object.fromEntries(Object.entries(countries).map(([code, places]) => [code, middleOf(places)]));
writeFileSync("components/report/places.json", `${JSON.stringify({ zones, countries: middles })}\n`);
