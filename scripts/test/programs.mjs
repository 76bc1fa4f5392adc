import { findProgram, onPath } from "./find-program.mjs";

/** @typedef {Omit<import("./find-program.mjs").Program, "candidates"> & { names: readonly string[], more?: readonly string[] }} Entry */

/** @param {Omit<Entry, "purpose">} language */
const ofSamples = (language) => ({ purpose: "A test of the code samples", ...language });
/** @param {Omit<Entry, "purpose">} server */
const ofRecipes = (server) => ({ purpose: "A test of the recipes for proxies", ...server });

/** The programs for tests and tools, with their names on the PATH and further places. */
const PROGRAMS = {
  firefox: {
    title: "Firefox",
    purpose: "A test of device identity",
    variable: "FIREFOX",
    debianPackage: "firefox-esr",
    elsewhere: "brew install --cask firefox",
    names: ["firefox-esr", "firefox"],
    more: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
  },
  redis: {
    title: "Redis",
    purpose: "A test of REDIS_URL",
    variable: "REDIS_SERVER",
    debianPackage: "redis-server",
    elsewhere: "brew install redis",
    names: ["redis-server", "valkey-server"],
  },
  pgbouncer: {
    title: "PgBouncer",
    purpose: "A test through a pooler",
    variable: "PGBOUNCER",
    debianPackage: "pgbouncer",
    elsewhere: "brew install pgbouncer",
    names: ["pgbouncer"],
  },
  prometheus: {
    title: "Prometheus",
    purpose: "A test of the metrics",
    variable: "PROMETHEUS",
    debianPackage: "prometheus",
    elsewhere: "brew install prometheus",
    names: ["prometheus"],
  },
  promtool: {
    title: "promtool",
    purpose: "A test of the metrics",
    variable: "PROMTOOL",
    debianPackage: "prometheus",
    elsewhere: "brew install prometheus",
    names: ["promtool"],
  },
  python: ofSamples({
    ...{ title: "Python", variable: "PYTHON", names: ["python3"] },
    ...{ debianPackage: "python3", elsewhere: "brew install python3" },
  }),
  go: ofSamples({
    ...{ title: "Go", variable: "GO", names: ["go"], versionArgument: "version" },
    ...{ debianPackage: "golang-go", elsewhere: "brew install go" },
  }),
  php: ofSamples({
    ...{ title: "PHP", variable: "PHP", names: ["php"] },
    ...{ debianPackage: "php-cli", elsewhere: "brew install php" },
  }),
  curl: ofSamples({
    ...{ title: "curl", variable: "CURL", names: ["curl"] },
    ...{ debianPackage: "curl", elsewhere: "brew install curl" },
  }),
  nginx: ofRecipes({
    ...{ title: "nginx", variable: "NGINX", names: ["nginx"], versionArgument: "-v" },
    ...{ debianPackage: "nginx", elsewhere: "brew install nginx" },
  }),
  caddy: ofRecipes({
    ...{ title: "Caddy", variable: "CADDY", names: ["caddy"], versionArgument: "version" },
    ...{ debianPackage: "caddy", elsewhere: "brew install caddy" },
  }),
  apache: ofRecipes({
    ...{ title: "Apache", variable: "APACHE", names: ["apache2", "httpd"], versionArgument: "-v" },
    ...{ debianPackage: "apache2", elsewhere: "brew install httpd" },
  }),
  haproxy: {
    title: "HAProxy",
    purpose: "A rolling restart behind a load balancer",
    variable: "HAPROXY",
    debianPackage: "haproxy",
    elsewhere: "brew install haproxy",
    names: ["haproxy"],
    versionArgument: "-v",
  },
  patroni: {
    title: "Patroni",
    purpose: "A failover of the database",
    variable: "PATRONI",
    debianPackage: "patroni",
    elsewhere: "pipx install patroni[etcd3,psycopg2-binary]",
    names: ["patroni"],
  },
  etcd: {
    title: "etcd",
    purpose: "A failover of the database",
    variable: "ETCD",
    debianPackage: "etcd-server",
    elsewhere: "brew install etcd",
    names: ["etcd"],
  },
  pgbackrest: {
    title: "pgBackRest",
    purpose: "The drill of external servers",
    variable: "PGBACKREST",
    debianPackage: "pgbackrest",
    elsewhere: "brew install pgbackrest",
    names: ["pgbackrest"],
    versionArgument: "version",
  },
  xvfb: {
    title: "xvfb-run",
    purpose: "A browser without a screen",
    variable: "XVFB_RUN",
    debianPackage: "xvfb",
    elsewhere: "use a Linux system",
    names: ["xvfb-run"],
    versionArgument: "--help",
  },
};

/** @typedef {keyof typeof PROGRAMS} Name */

/**
 * The path of a program: the one named by its variable, else one installed on the system.
 *
 * @param {Name} name
 */
export function findInstalled(name) {
  const { names, more = [], ...program } = /** @type {Entry} */ (PROGRAMS[name]);
  return findProgram({ ...program, candidates: () => [...onPath(names), ...more] });
}

/**
 * Finds programs, and sets their variables for the processes that are started later.
 *
 * @param {readonly Name[]} names
 */
export async function choose(names) {
  for (const name of names) process.env[PROGRAMS[name].variable] = await findInstalled(name);
}
