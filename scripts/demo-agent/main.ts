import { Report } from "@/lib/contract/report";
import { TrialGrant } from "@/lib/contract/trial";
import { JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { makeDataDir, startService } from "../common/service";
import { type Buyer, createBuyer } from "../sandbox/buyer";
import { startSandbox } from "../sandbox/sandbox";
import { findChromium } from "../test/chromium.mjs";
import {
  activate,
  createIntent,
  type Credentials,
  discover,
  readChallenge,
  readJson,
  waitForCredentials,
} from "./purchase";
import { openSite, visit } from "./visit";

let log = lineWriter(false);
const timings: { step: string; ms: number }[] = [];

/** Runs one step and describes its result. */
async function step<T>(title: string, work: () => Promise<T>, describe: (result: T) => string[]): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - startedAt);
  timings.push({ step: title, ms });
  log(`\n${String(timings.length).padStart(2)}  ${title.padEnd(66)}${String(ms).padStart(5)} ms`);
  for (const line of describe(result)) log(`      ${line}`);
  return result;
}

/** Everything from the catalog to the key. */
async function buy(imprintUrl: string, origin: string, buyer: Buyer) {
  const { product } = await step(
    "Discover: GET /api/v1/agent/products",
    () => discover(imprintUrl),
    ({ product: { code, price, report_units, expires_in_hours }, link }) => [
      `${code}: ${report_units} Reports within ${expires_in_hours} hours`,
      `price ${price?.amount_atomic ?? "none"} atomic units of ${price?.asset ?? "none"} on ${price?.network ?? "none"}`,
      `more to discover: Link ${link}`,
    ],
  );
  const intent = await step(
    "Start: POST /api/v1/agent/trial-intents",
    () => createIntent(imprintUrl, { productCode: product.code, origin }),
    ({ intent_id, status }) => [`${intent_id} for ${origin}: ${status}`, "the claim token stays in this process"],
  );
  await step(
    "Ask: POST …/activate without a payment returns 402",
    () => readChallenge(intent),
    ({ accepts }) =>
      accepts.map(
        ({ scheme, amount, payTo, maxTimeoutSeconds }) =>
          `PAYMENT-REQUIRED: scheme ${scheme}, ${amount} to ${payTo}, to be signed for at most ${maxTimeoutSeconds} s`,
      ),
  );
  const { settlement } = await step(
    "Pay: the same request with @x402/fetch, which signs and retries",
    () => activate(intent, buyer.pay),
    ({ status, settlement: settled }) => [
      `${status}, PAYMENT-RESPONSE: ${settled ? `transaction ${settled.transaction}` : "not yet"}`,
    ],
  );
  const again = await step(
    "Again: repeating the activation does not charge twice",
    () => activate(intent, buyer.pay),
    ({ status }) => [`${status}; signatures made so far: ${buyer.signatures()}`],
  );
  const credentials = await step(
    "Poll: GET …/trial-intents/{id} until the credentials are available",
    () => waitForCredentials(intent),
    ({ trial_id, environment_id, api_key, quota }) => [
      `${trial_id}: ${environment_id}, key ${api_key.slice(0, 10)}…`,
      `${quota.remaining_reports} of ${quota.total_reports} Reports left`,
    ],
  );
  return { intent, settlement: again.settlement ?? settlement, credentials };
}

type Use = { site: Awaited<ReturnType<typeof openSite>>; browser: string | undefined; credentials: Credentials };

/** Makes a visit and reads its Report with the purchased key. */
async function use(imprintUrl: string, { site, browser, credentials }: Use) {
  const { environment_id: environmentId, api_key: apiKey } = credentials;
  site.use(environmentId);
  const { imprint } = await step(
    "Visit: a page of the trial's origin runs the component",
    () => visit({ imprintUrl, origin: site.origin, environmentId, browser }),
    ({ imprint: made, by }) => [`${made} by ${by}`],
  );
  const report = await step(
    "Read: GET /api/v1/fingerprint/report/{imprint}",
    async () => Report.parse(await readJson(`${imprintUrl}/api/v1/fingerprint/report/${imprint}`, apiKey)),
    ({ device, risk, browser, operating_system }) => [
      `device ${device.id}, seen before: ${device.seen_before}`,
      `${browser.name ?? "unknown browser"} on ${operating_system.name ?? "an unknown system"}`,
      `risk ${risk.status}: ${risk.reasons.join(", ") || "no findings"}`,
    ],
  );
  const grant = await step(
    "Account: GET /api/v1/agent/trial",
    async () => TrialGrant.parse(await readJson(`${imprintUrl}/api/v1/agent/trial`, apiKey)),
    ({ used_report_units, total_report_units, limits: { submit_requests, submit_requests_used } }) => [
      `${used_report_units} of ${total_report_units} Reports used, ${submit_requests - submit_requests_used} submissions left`,
    ],
  );
  return { imprint, report, grant };
}

/** Finds a browser for the visit before anything is built or bought. */
async function chooseBrowser(): Promise<string> {
  try {
    return await findChromium({ purpose: "The visit", isLookingOnly: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\nWithout a browser: npm run demo:agent -- --no-browser`, { cause: error });
  }
}

await runCommand({
  name: "demo:agent",
  about:
    "Starts Imprint with an empty database, a simulated chain and the official x402 facilitator, all on this machine. Then an agent with the official client (@x402/fetch) buys an Agent Trial, a browser visits a page of the trial's origin, and the agent reads the Report with its new key.",
  options: {
    "no-browser": {
      type: "boolean",
      about:
        "submit signals captured from a real Chromium instead of starting one; without a Chromium the demonstration says so at the start",
    },
    json: { ...JSON_OPTION, about: "print one line of JSON with the results; everything else goes to stderr" },
  },
  notes: "No money is real: the chain is eip155:31337, and nothing signed here is valid on a public network.",
  async run(values, cleanUp) {
    log = lineWriter(values.json);
    const browser = values["no-browser"] ? undefined : await chooseBrowser();
    log("Sandbox: no real money. Chain eip155:31337, token and facilitator on this machine.");
    const sandbox = await startSandbox();
    cleanUp.push(() => sandbox.close());
    const { url } = await startService({
      cleanUp,
      dataDir: makeDataDir(cleanUp),
      variables: { ...sandbox.variables, LOG_LEVEL: "warn" },
      onLine(line) {
        if (!/^(Set-up|Ctrl-C)/.test(line)) log(`service | ${line}`);
      },
    });
    const site = await openSite(url, cleanUp);
    const buyer = createBuyer(sandbox.createAccount());
    const { intent, settlement, credentials } = await buy(url, site.origin, buyer);
    const { report, grant } = await use(url, { site, browser, credentials });
    const [paid, signatures] = [sandbox.income(), buyer.signatures()];
    const isExact = paid === BigInt(sandbox.variables.X402_AMOUNT_ATOMIC) && signatures === 1;
    log(
      `\nThe seller received ${paid.toString()} atomic units in one transfer; the agent signed ${signatures} payment.`,
    );
    const { trial_id, environment_id } = credentials;
    const ids = { intent_id: intent.intent_id, trial_id, environment_id };
    const facts = { ok: isExact, ...ids, settlement, report, grant, timings, paid_atomic: paid.toString() };
    if (values.json) console.log(JSON.stringify(facts));
    return isExact ? 0 : 1;
  },
});
