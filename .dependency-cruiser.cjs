/** The import rules of this repository. `npm run check` fails on any violation. */
const TESTS = "(\\.test\\.tsx?|\\.spec\\.ts|/testing\\.ts)$";

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "contract-is-a-leaf",
      comment: "lib/contract is shared with browsers: zod, lib/errors and lib/ids only",
      severity: "error",
      from: { path: "^lib/contract/", pathNot: TESTS },
      to: { path: "^(app|components|db|lib)/", pathNot: "^lib/(contract/|errors\\.ts|ids\\.ts)" },
    },
    {
      name: "features-by-front-door",
      comment: "import another feature through its index.ts",
      severity: "error",
      from: { path: "^(app|components|lib)/([^/]+)/", pathNot: TESTS },
      to: { path: "^lib/(?!contract/|http/|mcp/|browser/)[^/]+/", pathNot: ["^lib/[^/]+/index\\.ts$", "^$1/$2/"] },
    },
    {
      name: "sql-only-in-queries",
      comment: "Drizzle and tables are used in db/ and in a feature's queries.ts",
      severity: "error",
      from: { path: "^(app|components|lib)/", pathNot: ["/queries[a-z-]*\\.ts$", TESTS] },
      to: { path: "(^db/schema|node_modules/(drizzle-orm|postgres)/)" },
    },
    {
      name: "domain-is-pure",
      comment: "lib/<feature>/domain: no database, no network, no clock, no framework",
      severity: "error",
      from: { path: "^lib/[^/]+/domain/", pathNot: TESTS },
      to: { path: ".", pathNot: ["^lib/[^/]+/domain/", "^lib/contract/", "^lib/(calendar|errors|ids|storable)\\.ts$"] },
    },
    {
      name: "browser-component-stands-alone",
      comment: "lib/browser runs on other people's pages and takes nothing from the server",
      severity: "error",
      from: { path: "^lib/browser/", pathNot: TESTS },
      to: {
        path: ".",
        pathNot: ["^lib/browser/", "^lib/contract/", "^node_modules/(react|@types/react)/"],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "lib-does-not-know-next-app",
      severity: "error",
      from: { path: "^(lib|db)/", pathNot: TESTS },
      to: { path: "^(app|components)/" },
    },
    {
      name: "pages-do-not-touch-the-database",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^db/" },
    },
    {
      name: "db-is-the-floor",
      severity: "error",
      from: { path: "^db/", pathNot: TESTS },
      to: { path: "^lib/", pathNot: "^lib/(contract/|env\\.ts|errors\\.ts|log\\.ts|ids\\.ts|clock\\.ts)" },
    },
    {
      name: "no-dev-dependencies-in-product",
      severity: "error",
      from: { path: "^(app|components|lib|db|server\\.ts)", pathNot: TESTS },
      to: { dependencyTypes: ["npm-dev"], pathNot: "node_modules/@types/" },
    },
    {
      name: "test-code-stays-in-tests",
      severity: "error",
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
