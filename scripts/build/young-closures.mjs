import { readFile } from "node:fs/promises";

/** Two for each query, one for a cursor. */
const ASSIGNED = /\bthis\.(resolve|reject) = (x => \(this\.active = false, \1\(x\)\))/g;
const EXPECTED = 3;

/**
 * Rewrites the driver's queries so that they create no functions that V8 allocates in old space.
 *
 * @param {string} source of `query.js` of postgres 3.4.9
 * @throws Error if the source is different
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
 * V8 allocates a function literal that is assigned directly to a property in old space (parser-base.h: so that it can
 * be a constant of the object's map). An old object retains what it references until a full garbage collection: with
 * the driver's original code, every query with its parameters and rows, and the request behind it, is copied twice by
 * scavenges. docs/decisions/0083-short-lived-objects.md has figures.
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
