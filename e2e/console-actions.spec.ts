import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type ConsoleBench, OWNER, prepareConsole } from "./console/console-bench";
import { settle, violationsOf } from "./console/console-page";
import { createSite, visit } from "./service";

const prepare = await prepareConsole();
let bench: ConsoleBench;

beforeAll(async () => {
  bench = await prepare();
});
afterAll(() => bench.close());

test("the Report page says the verdict, every field and the harmless causes, and recommends nothing", async () => {
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/reports/${bench.imprint}`);
    await page.getByRole("heading", { name: "Sign-in on Shop" }).waitFor();
    for (const name of ["Findings", "Device", "Network", "Browser and system", "Activity of this device", "Raw JSON"])
      expect(await page.getByRole("heading", { name, exact: true }).count(), name).toBe(1);
    const shown = await page.getByRole("region", { name: "Report as JSON" }).innerText();
    expect(JSON.parse(shown)).toMatchObject({ imprint: bench.imprint, schema_version: "1.0" });
    await page.getByRole("link", { name: "DB-IP" }).waitFor();
  });
});

test("an analyst sees no address, place or key: they are said to be restricted, and are not in the page", async () => {
  await bench.asAnalyst(async (page) => {
    await page.goto(`${bench.home}/reports/${bench.imprint}`);
    await settle(page);
    expect(await page.getByText("Restricted", { exact: true }).count()).toBeGreaterThan(2);
    expect(await page.content()).not.toContain("observed_ip");
    await page.goto(`${bench.home}/keys`);
    await page.getByText("Keys are not part of your role").waitFor();
    expect(await page.content()).not.toContain(bench.site.apiKey.slice(-4));
    await page.goto(`${bench.home}/audit`);
    await page.getByText("The audit log is not part of your role").waitFor();
    await page.goto(`${bench.home}/web-apps/${bench.site.webAppId}`);
    await settle(page);
    expect(await page.getByRole("button", { name: /Archive|Add to the list/ }).count()).toBe(0);
  });
});

test("a device's page tells how it was recognised; an owner deletes it after confirming, an analyst cannot", async () => {
  const imprint = await visit(bench.service.url, bench.site);
  let address = "";
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/reports/${imprint}`);
    await page.locator("#device").getByRole("link").first().click();
    await page.getByRole("heading", { name: "How its visits were recognised" }).waitFor();
    address = page.url();
    await page.getByText("New device", { exact: true }).waitFor();
    await settle(page);
    expect(await violationsOf(page)).toEqual([]);
  });
  await bench.asAnalyst(async (page) => {
    await page.goto(address);
    await settle(page);
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  });
  await bench.asOwner(async (page) => {
    await page.goto(address);
    await settle(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.waitForURL(`${bench.home}/reports`);
    await page.goto(address);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.goto(bench.home);
    await page.getByRole("heading", { name: "Recognition without a token" }).waitFor();
  });
});

test("another workspace looks as if it did not exist", async () => {
  const other = await createSite(bench.service, "https://other.example");
  await bench.asOwner(async (page) => {
    const answers = [
      await page.goto(`${bench.service.url}/w/${other.workspaceId}`),
      await page.goto(`${bench.service.url}/w/ws_${"0".repeat(32)}`),
    ];
    expect(answers.map((answer) => answer?.status())).toEqual([404, 404]);
  });
});

test("a key's secret survives Escape and a click outside, and is gone once it was said to be stored", async () => {
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/keys`);
    await settle(page);
    await page.getByRole("button", { name: "New key" }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await name.fill("server-prod");
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = (await page.getByLabel("Secret key").textContent()) ?? "";
    await page.keyboard.press("Escape");
    await page.mouse.click(4, 4);
    expect(await page.getByLabel("Secret key").textContent()).toBe(secret);
    await page.getByText("I have stored the key").click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("cell", { name: "server-prod", exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const answer = await fetch(`${bench.service.url}/api/v1/fingerprint/report/${bench.imprint}`, {
      headers: { "X-API-Key": secret },
    });
    expect(answer.status).toBe(200);
  });
});

test("rotating keeps the old key for the overlap, and ending the overlap refuses it at once", async () => {
  const read = (key: string) =>
    fetch(`${bench.service.url}/api/v1/fingerprint/report/${bench.imprint}`, { headers: { "X-API-Key": key } });
  const { api_key: old = "" } = await bench.service.admin(
    "key",
    "create",
    "--workspace",
    bench.site.workspaceId,
    "--name",
    "rotated",
  );
  await bench.asOwner(async (page) => {
    await page.goto(`${bench.home}/keys`);
    await settle(page);
    await page.getByRole("button", { name: "Actions for rotated" }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByText("I can deploy the new key").click();
    await page.getByRole("button", { name: "Rotate key" }).click();
    const fresh = (await page.getByLabel("Secret key").textContent()) ?? "";
    expect([(await read(old)).status, (await read(fresh)).status]).toEqual([200, 200]);
    await page.getByText("I have stored the key").click();
    await page.getByRole("button", { name: "Close" }).click();
    await page
      .getByRole("row", { name: /being replaced/ })
      .getByRole("button")
      .click();
    await page.getByRole("menuitem", { name: "End overlap" }).click();
    await page.getByRole("button", { name: "End overlap" }).click();
    await page.getByText("The key is revoked").waitFor();
    expect([(await read(old)).status, (await read(fresh)).status]).toEqual([401, 200]);
  });
});

test("the keyboard reaches pages, Reports and the shortcut sheet, and single keys can be switched off", async () => {
  await bench.asOwner(async (page) => {
    await page.goto(bench.home);
    await settle(page);
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/\/reports$/);
    await page.locator("[data-search]").waitFor();
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("search");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or anything to search for" }).fill(bench.imprint);
    await page.getByRole("option", { name: /Open the Report/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(bench.imprint));
    await settle(page);
    await page.keyboard.press("?");
    await page.getByRole("checkbox", { name: /Single-key shortcuts/ }).uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.getByRole("combobox", { name: "Page or anything to search for" }).waitFor();
  });
});

test("an action replayed from another origin changes nothing, though it carries the session's cookie", async () => {
  const app = await createSite(bench.service, "https://replay.example");
  await bench.addMember(app.workspaceId, OWNER, "owner");
  const stateOf = async () => {
    const listed = await bench.service.admin("web-app", "list", "--workspace", app.workspaceId);
    return /"state":"(\w+)"/.exec(JSON.stringify(listed))?.[1];
  };
  await bench.asOwner(async (page) => {
    const address = `${bench.service.url}/w/${app.workspaceId}/web-apps/${app.webAppId}`;
    await page.goto(address);
    await settle(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST"),
      page.getByRole("button", { name: "Pause" }).click(),
    ]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const action = (await sent.allHeaders())["next-action"] ?? "";
    const replay = (origin: string) =>
      fetch(address, {
        method: "POST",
        headers: { Cookie: cookie, Origin: origin, "Next-Action": action, "Content-Type": "text/plain;charset=UTF-8" },
        body: sent.postData() ?? "",
      });
    await replay("https://elsewhere.example");
    expect(await stateOf()).toBe("active");
    expect((await replay(bench.service.url)).status).toBe(200);
    expect(await stateOf()).toBe("paused");
  });
});

/** A site of another origin that runs the component. */
async function openWebsite(environmentId: string): Promise<{ url: string; server: Server }> {
  const html = `<!doctype html><script src="${bench.service.url}/v1/imprint.js"></script><script type="module">
    Imprint.createImprint({ environmentId: "${environmentId}" }).run()
      .then(({ imprint }) => { document.title = imprint; }, (error) => { document.title = error.code; });</script>`;
  const server = createServer((_request, answer) => answer.setHeader("Content-Type", "text/html").end(html));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test("the first Report: the page shows a refused origin with its reason, allows it, and tells of the visit by itself", async () => {
  const fresh = await createSite(bench.service, "https://not-here.example");
  await bench.addMember(fresh.workspaceId, OWNER, "owner");
  const website = await openWebsite(fresh.environmentId);
  await bench.asOwner(async (page) => {
    const visitor = await page.context().newPage();
    const run = async (outcome: RegExp) => {
      await visitor.goto(website.url);
      await expect.poll(() => visitor.title(), { timeout: 20_000 }).toMatch(outcome);
    };
    await page.goto(`${bench.service.url}/w/${fresh.workspaceId}`);
    await page.getByText("Waiting for the first visit").waitFor();
    await run(/origin_not_allowed/);
    await page.bringToFront();
    await page.getByText("This origin is not on the list").waitFor({ timeout: 10_000 });
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Allow this origin" }).click();
    await page.getByText("It is allowed now").waitFor();
    await run(/^imp_[0-9a-f]{32}$/);
    await page.bringToFront();
    await page.getByRole("link", { name: "Open the Report" }).click({ timeout: 10_000 });
    await page.getByRole("heading", { name: "Findings" }).waitFor();
  });
  website.server.close();
});
