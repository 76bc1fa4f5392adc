import os from "node:os";

import type { Report } from "@/lib/contract/report";
import { assessCapture, startVisitedService, type VisitedService } from "../bench/risk/service";
import { JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { useTestBuild } from "../common/processes";

function localAddress(): string {
  const all = Object.values(os.networkInterfaces()).flat();
  const found = all.find((one) => one?.family === "IPv4" && !one.internal)?.address;
  if (found === undefined) throw new Error("This machine has no address on a local network; set one with --address.");
  return found;
}

const page = (environmentId: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Imprint: test of this device</title>
<h1>Test of this device</h1><p id="state" role="status">Running</p>
<script src="/v1/imprint.js"></script>
<script>
Imprint.createImprint({ environmentId: "${environmentId}" }).run().then(
  ({ imprint }) => { document.getElementById("state").textContent = "Done. The Report is in the terminal: " + imprint; },
  (error) => { document.getElementById("state").textContent = "Failed: " + error.code; });
</script></html>`;

const named = ({ name, version }: { name?: string | undefined; version?: string | undefined }, unknown: string) =>
  `${name ?? unknown} ${version ?? ""}`.trim();

function linesOf(report: Report, { evidence, profile }: ReturnType<typeof assessCapture>): string[] {
  const { browser, operating_system: system, risk } = report;
  return [
    "",
    `${named(browser, "Unknown browser")} on ${named(system, "unknown system")}`,
    `${risk.status}  ${risk.reasons.join(", ") || "no finding"}  (privacy profile: ${profile})`,
    ...evidence.flatMap(({ ruleId, status, compared }) => [
      `  ${ruleId}: ${status}`,
      ...compared.map(({ label, value, isOdd }) => `    ${isOdd ? "!" : " "} ${label}: ${value}`),
    ]),
    JSON.stringify(report, null, 2),
  ];
}

await runCommand({
  name: "test:remote",
  about:
    "Starts the service with a page that any device on the local network can open, prints the page's URL, and shows the Report of each visit with the rules and values behind it. For browsers and phones that automated tests cannot run. All data is removed at the end.",
  options: {
    address: {
      type: "string",
      value: "ADDRESS",
      about: "the address to listen on; default: this machine's first address on a local network",
    },
    json: { ...JSON_OPTION, about: "print one line of JSON with the URL, then one per visit" },
  },
  notes: "Ctrl-C stops it.",
  isEndedBySignal: true,
  async run(values, cleanUp) {
    useTestBuild();
    const log = lineWriter(values.json);
    const print = (facts: object) => {
      if (values.json) console.log(JSON.stringify(facts));
    };
    const started: { service?: VisitedService } = {};
    const onVisit = async (imprint: string) => {
      const { service } = started;
      if (!service) return;
      const report = await service.reportOf(imprint);
      const assessment = assessCapture(service.captureOf(imprint));
      print({ report, evidence: assessment.evidence, profile: assessment.profile });
      for (const line of linesOf(report, assessment)) log(line);
    };
    const service = await startVisitedService({
      address: values.address ?? localAddress(),
      originOf: (url) => url,
      pageOf: (target) => (target === "/" && started.service ? page(started.service.environmentId) : undefined),
      onVisit(imprint) {
        onVisit(imprint).catch((error: unknown) => {
          log(String(error));
        });
      },
      log,
      cleanUp,
    });
    started.service = service;
    print({ url: service.url });
    log(`\nOpen this URL on the device to test, in the same network:\n\n  ${service.url}/\n
Over plain http browsers keep client hints back, which is no finding. Ctrl-C stops it.`);
    return undefined;
  },
});
