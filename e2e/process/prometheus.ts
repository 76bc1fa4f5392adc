import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { claimPort } from "@/scripts/common/processes";
import { findInstalled } from "@/scripts/test/programs.mjs";

const inSeconds = (rules: string) => rules.replaceAll(/for: \S+/g, "for: 1s").replaceAll("[5m]", "[10s]");

type Alerts = { data: { alerts: { state: string; labels: Record<string, string> }[] } };
type Vector = { data: { result: { metric: Record<string, string> }[] } };

/**
 * Starts Prometheus with our configuration and rules, in which minutes are replaced by seconds.
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
    await findInstalled("prometheus"),
    [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined);
    return response?.ok ? await response.json() : undefined;
  };
  return {
    /** Names of the currently firing alerts. */
    async firing(): Promise<string[]> {
      const answer = (await ask("alerts")) as Alerts | undefined;
      const alerts = answer?.data.alerts ?? [];
      return alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels["alertname"] ?? "");
    },
    /**
     * Names of the alerts that have fired, also those that fired only between two calls.
     *
     * @param since as `performance.now()` gave it
     */
    async firedSince(since: number): Promise<string[]> {
      const window = `${Math.ceil(performance.now() - since)}ms`;
      const query = `group by (alertname) (last_over_time(ALERTS{alertstate="firing"}[${window}]))`;
      const answer = (await ask(`query?query=${encodeURIComponent(query)}`)) as Vector | undefined;
      return (answer?.data.result ?? []).map(({ metric }) => metric["alertname"] ?? "");
    },
    /** Whether it has scraped the service. */
    async isScraping(): Promise<boolean> {
      const answer = (await ask("query?query=imprint_database_up")) as Vector | undefined;
      return (answer?.data.result ?? []).length > 0;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
