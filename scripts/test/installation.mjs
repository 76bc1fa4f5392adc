const VARIABLES = [
  "DATABASE_URL",
  "DATA_DIR",
  "PORT",
  "HOST",
  "BASE_URL",
  "TRUSTED_PROXIES",
  "CLIENT_IP_HEADER",
  "REDIS_URL",
  "IP_CITY_DB",
  "IP_ASN_DB",
  "IP_ANONYMOUS_DB",
  "PROBE_UDP_PORT",
  "PROBE_PUBLIC_HOST",
];
const FAMILIES = /^(X402_|TRIAL_|OIDC_|GOOGLE_|GITHUB_CLIENT_|GITHUB_URL$)/;

/** Removes settings of an installation, which must not affect the tests. */
export function forgetInstallation() {
  for (const name of Object.keys(process.env))
    if (VARIABLES.includes(name) || FAMILIES.test(name)) Reflect.deleteProperty(process.env, name);
}
