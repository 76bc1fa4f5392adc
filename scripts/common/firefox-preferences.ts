/** Disables first-run pages, telemetry and look-ups; none of these settings changes what a page can see. */
export const FIREFOX_QUIET = {
  "browser.shell.checkDefaultBrowser": false,
  "browser.aboutwelcome.enabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "http://localhost/none",
};

/** Contents of a profile's `user.js`. */
export const userJs = (preferences: Readonly<Record<string, unknown>>): string =>
  Object.entries({ ...FIREFOX_QUIET, ...preferences })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
