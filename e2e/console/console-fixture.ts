import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

import type { Database } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { createSite as createStoredSite } from "@/test/visits";
import { createSite, type RunningService, type Site, startService, TEST_SECRETS, visit } from "../service";
import { signedInContext } from "./console-page";

export const OWNER = "owner@example.com";
export const ANALYST = "analyst@example.com";

export type ConsoleFixture = {
  databaseUrl: string;
  db: Database;
  service: RunningService;
  browser: Browser;
  site: Site;
  /** A visit to `site`. */
  imprint: string;
  /** URL of the Overview of `site`. */
  home: string;
  addMember: (workspaceId: string, email: string, role: string) => Promise<unknown>;
  /** Runs `use` with a page in the context, which is closed afterwards. */
  withPage: (context: Promise<BrowserContext>, use: (page: Page) => Promise<void>) => Promise<void>;
  asOwner: (use: (page: Page) => Promise<void>) => Promise<void>;
  asAnalyst: (use: (page: Page) => Promise<void>) => Promise<void>;
  /** A separate context in which a member is signed in. */
  signedIn: (email: string, options?: BrowserContextOptions) => Promise<BrowserContext>;
  close: () => Promise<void>;
};

/**
 * Prepares a service with one site, one visit, an owner and an analyst, and a browser. Call it at module level of a
 * test file.
 */
export async function prepareConsole({ fetchesVisibleLinks = false, hasPublicDemo = false } = {}): Promise<
  () => Promise<ConsoleFixture>
> {
  const { url: databaseUrl, db } = await createTestDatabase();
  const demo = hasPublicDemo ? await createStoredSite(db) : undefined;
  const environment = { ...TEST_SECRETS, ...(demo && { PUBLIC_DEMO_ENVIRONMENT: demo.environmentId }) };
  return async () => {
    const [service, browser] = await Promise.all([startService({ databaseUrl, environment }), launchForPages()]);
    const addMember: ConsoleFixture["addMember"] = (workspaceId, email, role) =>
      service.admin("member", "add", "--workspace", workspaceId, "--email", email, "--role", role);
    if (demo) await service.admin("origin", "add", "--web-app", demo.webAppId, "--origin", service.url);
    const site = await createSite(service);
    await addMember(site.workspaceId, OWNER, "owner");
    await addMember(site.workspaceId, ANALYST, "analyst");
    const withPage: ConsoleFixture["withPage"] = async (context, use) => {
      const opened = await context;
      await use(await opened.newPage());
      await opened.close();
    };
    const signedIn: ConsoleFixture["signedIn"] = (email, options) =>
      signedInContext(browser, service, email, "light", { fetchesVisibleLinks, ...options });
    return {
      databaseUrl,
      db,
      service,
      browser,
      site,
      imprint: await visit(service.url, site, { surface: "sign-in" }),
      home: `${service.url}/w/${site.workspaceId}`,
      addMember,
      withPage,
      asOwner: (use) => withPage(signedIn(OWNER), use),
      asAnalyst: (use) => withPage(signedIn(ANALYST), use),
      signedIn,
      async close() {
        await Promise.all([browser.close(), service.stop()]);
      },
    };
  };
}
