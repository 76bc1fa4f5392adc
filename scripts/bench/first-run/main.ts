import http from "node:http";

import { type Browser, chromium } from "playwright-core";

import { ensureBuilt } from "../../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../../common/command";
import { listenHttp } from "../../common/processes";
import { printOutcome, textTable } from "../../common/report";
import { setUpActions, startFreshService } from "../../common/service";
import { findChromium } from "../../test/chromium.mjs";

const MAX_SECONDS = 60;
const MAX_ACTIONS = 12;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** A site that runs the component. */
function openWebsite(serviceUrl: string, environmentId: string, cleanUp: CleanUp) {
  const html = `<!doctype html><title>Shop</title><script src="${serviceUrl}/v1/imprint.js"></script>
    <script type="module">Imprint.createImprint({ environmentId: "${environmentId}" }).run();</script>`;
  const server = http.createServer((_request, answer) => answer.setHeader("Content-Type", "text/html").end(html));
  return listenHttp(server, { cleanUp });
}

type Step = (name: string, act: () => Promise<unknown>) => Promise<void>;

async function runFirst(
  browser: Browser,
  { url, setupUrl }: { url: string; setupUrl: string },
  { step, cleanUp }: { step: Step; cleanUp: CleanUp },
) {
  const context = await browser.newContext();
  const [page, visitor] = [await context.newPage(), await context.newPage()];
  await page.bringToFront();
  let environmentId = "";
  for (const { name, act } of setUpActions(page, { setupUrl, owner: "ada@example.com" })) {
    await step(name, act);
    if (name === "set up") environmentId = (await page.getByText(/^env_[0-9a-f]{32}$/).textContent()) ?? "";
  }
  const site = await openWebsite(url, environmentId, cleanUp);
  await step("open the site, whose origin is refused", () => visitor.goto(site.url));
  await page.bringToFront();
  await step("allow its origin", () => page.getByRole("button", { name: "Allow this origin" }).click());
  await page.getByText("is allowed now. Load your page again.").waitFor();
  await step("load the site again", () => visitor.reload());
  await page.bringToFront();
  await step("open the Report", async () => {
    await page.getByRole("link", { name: "Open the Report" }).click();
    await page.getByRole("heading", { name: "Findings" }).waitFor();
  });
}

async function measure(cleanUp: CleanUp) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const executablePath = await findChromium({ purpose: "The first run" });
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  cleanUp.push(() => browser.close());
  const startedAt = performance.now();
  const seconds = () => Number(((performance.now() - startedAt) / 1_000).toFixed(1));
  const service = await startFreshService({ log: progress, cleanUp });
  const readySeconds = seconds();
  const actions: { name: string; atSeconds: number }[] = [];
  const step: Step = async (name, act) => {
    await act();
    actions.push({ name, atSeconds: seconds() });
  };
  await runFirst(browser, service, { step, cleanUp });
  return { readySeconds, actions, totalSeconds: seconds() };
}

await runCommand({
  name: "bench:first-run",
  about:
    "Starts Imprint on an empty folder and does in a browser what a new admin does up to the first Report: opens a page whose origin is not allowed yet, allows the origin, and reloads the page.",
  options: { check: { ...CHECK_OPTION, about: "exit with 1 beyond 60 seconds or 12 actions" }, json: JSON_OPTION },
  async run(values, cleanUp) {
    const result = await measure(cleanUp);
    const { readySeconds, actions, totalSeconds } = result;
    return printOutcome(values, {
      result,
      misses: [
        ...(totalSeconds >= MAX_SECONDS ? [`${totalSeconds} s, not under ${MAX_SECONDS} s`] : []),
        ...(actions.length > MAX_ACTIONS ? [`${actions.length} actions, more than ${MAX_ACTIONS}`] : []),
      ],
      lines: () =>
        textTable(
          ["ready to be set up", `${readySeconds} s`],
          actions.map(({ name, atSeconds }, at) => [`${at + 1} ${name}`, `${atSeconds} s`]),
        ),
    });
  },
});
