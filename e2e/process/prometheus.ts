import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { claimPort } from "@/scripts/common/processes";
import { prometheusProgram } from "@/test/prometheus";

const inSeconds = (rules: string) => rules.replaceAll(/for: \S+/g, "for: 1s").replaceAll("[5m]", "[10s]");

type Alerts = { data: { alerts: { state: string; labels: Record<string, string> }[] } };

/**
 * Starts Debian's Prometheus with our configuration and rules, in which minutes are replaced by seconds.
 *
 * @param target URL of the service's metrics
 * @param changed adapts further rules whose thresholds are too long or too high for a test
 */
export async function startPrometheus(target: string, changed: (rules: string) => string = (rules) => rules) {
  const folder = mkdtempSync(join(tmpdir(), "imprint-prometheus-"));
  const configuration = readFileSync("deploy/prometheus/prometheus.yml", "utf8")
    .replaceAll(/(scrape|evaluation)_interval: 15s/g, "$1_interval: 1s")
    .replace("127.0.0.1:9464", new URL(target).host);
  writeFileSync(join(folder, "prometheus.yml"), configuration);
  const rules = readFileSync("deploy/prometheus/imprint.rules.yml", "utf8");
  writeFileSync(join(folder, "imprint.rules.yml"), changed(inSeconds(rules)));
  const address = `127.0.0.1:${await claimPort()}`;
  const child = spawn(
    prometheusProgram("prometheus"),
    [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    /** Names of the currently firing alerts. */
    async firing(): Promise<string[]> {
      const response = await fetch(`http://${address}/api/v1/alerts`).catch(() => undefined);
      if (!response?.ok) return [];
      const { data } = (await response.json()) as Alerts;
      return data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels["alertname"] ?? "");
    },
    /** Whether it has scraped the service. */
    async isScraping(): Promise<boolean> {
      const response = await fetch(`http://${address}/api/v1/query?query=imprint_database_up`).catch(() => undefined);
      return response?.ok === true && /"value":/.test(await response.text());
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
