import { readFile } from "node:fs/promises";

/** Two for every query, one for a cursor. */
const ASSIGNED = /\bthis\.(resolve|reject) = (x => \(this\.active = false, \1\(x\)\))/g;
const EXPECTED = 3;

/**
 * The driver's queries without functions that V8 makes as old objects.
 *
 * @param {string} source of `query.js` of postgres 3.4.9
 * @throws Error when the source is another one
 */
export function keepClosuresYoung(source) {
  let count = 0;
  const changed = source.replaceAll(
    ASSIGNED,
    /** @param {string} _all @param {string} name @param {string} closure */ (_all, name, closure) => {
      count += 1;
      return `const ${name}Query = ${closure}; this.${name} = ${name}Query`;
    },
  );
  if (count !== EXPECTED) throw new Error(`query.js of postgres assigns ${count} of ${EXPECTED} functions as expected`);
  return changed;
}

/**
 * V8 makes a function that is assigned to a property where it stands as an old object (parser-base.h: so that it can be
 * a constant of the object's map). An old object keeps what it refers to until the whole heap is collected: with the
 * driver's own text every query with its parameters and rows, and the request behind it, is copied twice by collections
 * of new objects. docs/decisions/0083-short-lived-objects.md has figures.
 *
 * @type {import("esbuild").Plugin}
 */
export const youngClosures = {
  name: "young-closures",
  setup(build) {
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/]query\.js$/ }, async ({ path }) => ({
      contents: keepClosuresYoung(await readFile(path, "utf8")),
    }));
  },
};
