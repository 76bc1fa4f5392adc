import { readdirSync } from "node:fs";
import { dirname } from "node:path";

/** The import rules of this repository. `npm run check` fails on any violation. */
const TESTS = "(\\.test\\.tsx?|\\.spec\\.ts|/testing\\.ts)$";

/** The layers of lib in order: each may import only from earlier ones. */
const LAYERS = [
  "contract",
  "component",
  "platform",
  "tenancy",
  "metering",
  "trials",
  "visits",
  "interfaces",
  "operations",
];
/** Layers without feature folders, whose files are imported directly. */
const ENTERED_BY_FILE = "^lib/(contract|component)/|^lib/platform/[^/]+\\.ts$|^lib/interfaces/(http|mcp)/";

/** The shape of a finding, which the domain code of every check of a visit makes. */
const EVIDENCE = "^lib/visits/risk/domain/evidence\\.ts$";

/** The tables of visits and all statements on them; it lies below the other features of its layer. */
const VISIT_STORE = "^lib/visits/visit-store/";

/** Parts of lib that the database layer may use: only those that need no database. */
const BELOW_DATABASE =
  "^lib/(contract/|platform/(env|env-[a-z]+|log|calendar|clock|describe-error|source-frames|program)\\.ts)";

/** @param {string} path */
const escaped = (path) => path.replaceAll(/[()[\].]/g, "\\$&");
/** Folders of app with their own `_components`. */
const OWNERS = readdirSync(`${import.meta.dirname}/app`, { recursive: true, encoding: "utf8" })
  .filter((path) => /(^|[\\/])_components$/.test(path))
  .map((path) => `app/${dirname(path).replaceAll("\\", "/")}`);

const severity = /** @type {const} */ ("error");

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycles", severity, from: {}, to: { circular: true } },
    ...LAYERS.map((layer, index) => ({
      name: `${layer}-imports-from-lower-layers`,
      severity,
      from: { path: `^lib/${layer}/`, pathNot: TESTS },
      to: {
        path: "^lib/",
        pathNot: LAYERS.slice(0, index + 1).map((name) => `^lib/${name}/`),
      },
    })),
    {
      name: "lib-has-layers-only",
      comment: "every file in lib belongs to one of its layers",
      severity,
      from: {},
      to: { path: "^lib/", pathNot: `^lib/(${LAYERS.join("|")})/` },
    },
    {
      name: "contract-is-a-leaf",
      comment: "lib/contract is shared with browsers",
      severity,
      from: { path: "^lib/contract/", pathNot: TESTS },
      to: { path: "^(app|components|db|lib)/", pathNot: "^lib/contract/" },
    },
    {
      name: "features-by-index",
      comment: "import another feature through its index.ts",
      severity,
      from: { path: "^(lib/(?:metering|trials|[^/]+/[^/]+)|app|components)/", pathNot: [TESTS, VISIT_STORE] },
      to: { path: "^lib/", pathNot: ["/index\\.ts$", "^$1/", ENTERED_BY_FILE, EVIDENCE] },
    },
    {
      name: "visit-store-uses-domains",
      comment: "the visit store may also import types and limits from the domain code of the features that use it",
      severity,
      from: { path: VISIT_STORE, pathNot: TESTS },
      to: { path: "^lib/", pathNot: ["/index\\.ts$", VISIT_STORE, "^lib/visits/[^/]+/domain/", ENTERED_BY_FILE] },
    },
    {
      name: "sql-only-in-queries",
      comment: "Drizzle and tables are used only in db/ and in a feature's queries.ts",
      severity,
      from: { path: "^(app|components|lib)/", pathNot: ["/queries[a-z-]*\\.ts$", TESTS] },
      to: { path: "(^db/schema|node_modules/(drizzle-orm|postgres)/)" },
    },
    {
      name: "domain-is-pure",
      comment: "a `domain` folder uses no database, network, clock or framework",
      severity,
      from: { path: "^lib/.+/domain/", pathNot: TESTS },
      to: {
        path: ".",
        pathNot: ["^lib/.+/domain/", "^lib/contract/", "^lib/platform/(calendar|storable|time-zones)\\.ts$"],
      },
    },
    {
      name: "browser-component-stands-alone",
      comment: "lib/component runs on other sites' pages and imports nothing from the server",
      severity,
      from: { path: "^lib/component/", pathNot: TESTS },
      to: {
        path: ".",
        pathNot: ["^lib/component/", "^lib/contract/", "^node_modules/(react|@types/react)/"],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "server-package-stands-alone",
      comment: "packages/server runs on other sites' servers and imports only the contract",
      severity,
      from: { path: "^packages/server/", pathNot: TESTS },
      to: {
        path: ".",
        pathNot: ["^packages/server/", "^lib/contract/"],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "service-does-not-use-server-package",
      comment: "the service does not call itself over HTTP",
      severity,
      from: { path: "^(app|components|db|lib|server|server\\.ts)", pathNot: TESTS },
      to: { path: "^packages/" },
    },
    {
      name: "lib-does-not-import-its-users",
      comment: "lib and db import nothing from the app, its scripts or its tests",
      severity,
      from: { path: "^(lib|db)/", pathNot: TESTS },
      to: { path: "^(app|components|scripts|server|e2e|test)/" },
    },
    {
      name: "product-does-not-use-scripts",
      severity,
      from: { path: "^(app|components|lib|db|server|server\\.ts)", pathNot: TESTS },
      to: { path: "^(scripts|e2e|test)/" },
    },
    {
      name: "pages-do-not-touch-the-database",
      severity,
      from: { path: "^components/" },
      to: { path: "^db/" },
    },
    ...OWNERS.map((owner) => ({
      name: "parts-of-a-page-stay-with-it",
      comment: "components shared by several pages belong in components/, shared actions in app/(console)/actions",
      severity,
      from: { path: "^(app|components|lib|db)/", pathNot: `^${escaped(owner)}/` },
      to: { path: `^${escaped(owner)}/(_components/|actions\\.ts$)` },
    })),
    {
      name: "components-do-not-import-pages",
      severity,
      from: { path: "^components/" },
      to: { path: "^app/" },
    },
    {
      name: "db-is-below-lib",
      severity,
      from: { path: "^db/", pathNot: TESTS },
      to: { path: "^lib/", pathNot: BELOW_DATABASE },
    },
    {
      name: "no-dev-dependencies-in-product",
      severity,
      from: { path: "^(app|components|lib|db|server|server\\.ts)", pathNot: TESTS },
      to: { dependencyTypes: ["npm-dev"], pathNot: "node_modules/@types/" },
    },
    {
      name: "shared-test-helpers-are-in-test",
      comment: "a testing.ts serves the tests of its own layer; helpers of several layers belong in test/",
      severity,
      from: { path: "^(lib/[^/]+|[^/]+)/" },
      to: { path: "/testing\\.ts$", pathNot: "^$1/" },
    },
    {
      name: "test-code-stays-in-tests",
      severity,
      from: { path: "^(app|components|lib|db)/", pathNot: TESTS },
      to: { path: TESTS },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|\\.test|dist)" },
  },
};
