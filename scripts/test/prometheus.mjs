import { findProgram, onPath } from "./find-program.mjs";

/** @param {"Prometheus" | "promtool"} title */
const find = (title) => {
  const name = title.toLowerCase();
  return findProgram({
    title,
    purpose: "A test of the metrics",
    variable: name.toUpperCase(),
    debianPackage: "prometheus",
    elsewhere: "brew install prometheus",
    candidates: () => [...onPath([name]), `/usr/bin/${name}`, `/opt/homebrew/bin/${name}`],
  });
};

/** The server that scrapes and alerts: PROMETHEUS, or that of the system. */
export const findPrometheus = () => find("Prometheus");

/** What checks and tries rules: PROMTOOL, or that of the system. */
export const findPromtool = () => find("promtool");
