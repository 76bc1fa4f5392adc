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

/** The server that scrapes and evaluates alerts: PROMETHEUS, else the system's. */
export const findPrometheus = () => find("Prometheus");

/** The tool that checks and tests rules: PROMTOOL, else the system's. */
export const findPromtool = () => find("promtool");
